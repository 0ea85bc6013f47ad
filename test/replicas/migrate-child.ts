import { openStore } from './open-store.ts';

/** Opens the store, which brings it up to date, and reads once. */
const store = openStore(process.argv[2] ?? '', { maxConnections: 1 });
await store.list({ limit: 1 });
await store.close();
