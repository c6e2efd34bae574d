"""What the view holds in memory and answers from: pure folds and pure reads."""
