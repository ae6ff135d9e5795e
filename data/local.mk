# Shipped data.
