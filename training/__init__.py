"""Training, evaluation, measuring, and the command line."""
