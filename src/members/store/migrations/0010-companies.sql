-- Company that runs the platform; null if the operator declared none. Between two companies the operator may require a
-- member's consent before one passes data to the other.
ALTER TABLE platforms ADD COLUMN company TEXT;
