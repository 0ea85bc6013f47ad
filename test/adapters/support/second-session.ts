// Another process with the same database and the saved state of a framework: goes on with what was decided, and prints what ran.
import { readFileSync } from 'node:fs';
import { sqliteStore } from 'toolgate/sqlite';
import { sessionOf } from './process-session.ts';

const [framework = '', database = '', stateFile = ''] = process.argv.slice(2);
const store = sqliteStore({ path: database });
const ran: string[] = [];
const session = await sessionOf(framework, store, ran, readFileSync(stateFile, 'utf8'));
const { text } = await session.resume({ signal: new AbortController().signal, claimApproval: false });
process.stdout.write(JSON.stringify({ ran, text, results: session.requests.at(-1)?.results ?? [] }));
await store.close();
