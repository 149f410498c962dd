"""Tables: roles of columns, methods that anonymise, risk and utility of what comes out."""
