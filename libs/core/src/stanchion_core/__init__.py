"""Pure words all of Stanchion shares: ids, causes, errors, fusion, validity, Merkle trees."""
