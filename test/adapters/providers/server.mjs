// A provider on the loopback interface, in a process of its own so that its work is not counted: it answers at once, with the next reply of a
// script. `/<lane>/<calls>/v1/…`: each lane counts its requests by itself; each of its replies but the last of a run has so many calls.
// It reads no request to its end as JSON while it is measured; `/seen` says afterwards what came last.
import { createServer } from 'node:http';
import { calledTools, lastText } from './catalogue.mjs';
import { chatCompletion, chatCompletionEvents, response, responseEvents } from './wire.mjs';

const steps = Number(process.argv[2]);
const lanes = new Map();

function replyOf(step, callsPerReply, number) {
  if (step === steps - 1) return { text: lastText };
  const calls = Array.from({ length: callsPerReply }, (_, index) => ({
    id: `call_${number}_${index}`,
    ...calledTools[(step * callsPerReply + index) % calledTools.length],
  }));
  return { calls };
}

function answer(path, body, outgoing) {
  const [, lane, calls] = path.split('/');
  const key = `${lane}/${calls}`;
  const number = lanes.get(key)?.number ?? 0;
  lanes.set(key, { number: number + 1, body });
  const reply = replyOf(number % steps, Number(calls), number);
  const isChat = path.endsWith('/chat/completions');
  if (body.includes('"stream":true')) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.end(isChat ? chatCompletionEvents(reply, number) : responseEvents(reply, number));
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(isChat ? chatCompletion(reply, number) : response(reply, number)));
}

function seen() {
  return Object.fromEntries(
    [...lanes].map(([key, { number, body }]) => [
      key,
      { requests: number, bytes: body.length, tools: JSON.parse(body).tools?.length ?? 0 },
    ]),
  );
}

const server = createServer((incoming, outgoing) => {
  if (incoming.url === '/seen') {
    outgoing.end(JSON.stringify(seen()));
    return;
  }
  const chunks = [];
  incoming.on('data', (chunk) => chunks.push(chunk));
  incoming.on('end', () => answer(incoming.url, Buffer.concat(chunks).toString('utf8'), outgoing));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));
