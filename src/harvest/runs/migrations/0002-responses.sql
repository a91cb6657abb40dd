-- Responses are stored in a file for each run.
DROP TABLE answers;
