// Every decision model once, without a key and without a network: services are stood in for by a local server that speaks as they do.
// Each file beside this one runs alone, against the real service. Checks itself; exits with 1 when something is not as it says.
import { aiSdk } from './ai-sdk.ts';
import { embedded } from './embedded.ts';
import { langchain } from './langchain.ts';
import { languageModel } from './language-model.ts';
import { ollama } from './ollama.ts';
import { openAi } from './open-ai.ts';
import { standIn } from './stand-in.ts';
import { systemOne } from './system-one.ts';

const server = await standIn();
try {
  await openAi(server.url);
  await systemOne(server.url);
  await ollama(server.url);
  await aiSdk();
  await languageModel();
  await langchain();
  await embedded();
} finally {
  server.close();
}
