delete from trusted_hooks where file = ?
