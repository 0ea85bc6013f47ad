// A server for tests that speaks raw JSON-RPC over standard input and output, without the SDK, so that it can be as careless as real ones.
// Its behaviour is the JSON of its first argument: { tools?, pages?, results?, preamble?, listChanged?, loop?, noisy? }.
import process from 'node:process';

const spec = JSON.parse(process.argv[2] ?? '{}');
let tools = spec.tools ?? [];
let lists = 0;
let nextId = 1000;
const cancelled = [];
const calls = [];
const running = new Map();
const asked = new Map();

const write = (text) => process.stdout.write(text);
const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notifyChange = () => send({ method: 'notifications/tools/list_changed' });
const tool = (name) => ({ name, description: `Fake ${name}.`, inputSchema: { type: 'object' } });

function ask(method, params) {
  nextId += 1;
  const id = nextId;
  send({ id, method, params });
  return new Promise((resolve) => asked.set(id, resolve));
}

const special = {
  stats: () => ({ content: [{ type: 'text', text: JSON.stringify({ lists, cancelled, calls }) }] }),
  burst: () => {
    for (let count = 0; count < 200; count += 1) notifyChange();
    return { content: [{ type: 'text', text: 'sent' }] };
  },
  'set-tools': (params) => {
    tools = params.arguments.tools;
    notifyChange();
    return { content: [{ type: 'text', text: 'set' }] };
  },
  slow: (params, id) => new Promise((resolve) => running.set(id, resolve)),
  work: async (params) => {
    const token = params._meta?.progressToken;
    if (token !== undefined) {
      for (const progress of [1, 2, 3])
        send({
          method: 'notifications/progress',
          params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
        });
    }
    return { content: [{ type: 'text', text: JSON.stringify(params._meta ?? {}) }] };
  },
  book: async () => {
    const elicited = await ask('elicitation/create', {
      message: 'Which day?',
      requestedSchema: { type: 'object', properties: { day: { type: 'string' } } },
    });
    const sampled = await ask('sampling/createMessage', { messages: [], maxTokens: 1 });
    return {
      content: [
        {
          type: 'text',
          text: JSON.stringify({
            elicited: elicited.result ?? elicited.error,
            sampled: sampled.error?.code ?? 'answered',
          }),
        },
      ],
    };
  },
};

async function handle(message) {
  const { id, method, params } = message;
  if (method === undefined) {
    asked.get(id)?.(message);
    asked.delete(id);
    return;
  }
  if (method === 'notifications/cancelled') {
    cancelled.push(params.requestId);
    running.delete(params.requestId);
    return;
  }
  if (id === undefined) return;
  if (method === 'initialize') {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: spec.listChanged === false ? {} : { listChanged: true } },
      serverInfo: { name: 'fake', version: '1' },
    };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (spec.noisy === true) write(`\ufeff${text}\r\n`);
    else write(`${text}\n`);
    return;
  }
  if (method === 'ping') {
    send({ id, result: {} });
    return;
  }
  if (method === 'tools/list') {
    lists += 1;
    const pages = spec.pages === undefined ? [tools] : spec.pages;
    const page = params?.cursor === undefined ? 0 : Number(params.cursor);
    send({ id, result: { tools: pages[page], ...(page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}) } });
    if (spec.loop === true) notifyChange();
    return;
  }
  if (method === 'tools/call') {
    calls.push(params.name);
    const given = spec.results?.[params.name];
    const result =
      given ??
      (await (special[params.name] ?? (() => ({ content: [{ type: 'text', text: params.name }] })))(params, id));
    if (spec.noisy === true) {
      // A response in two writes, cut in the middle of a character.
      const bytes = Buffer.from(
        `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'grüße' }] } })}\n`,
      );
      const cut = bytes.indexOf(0xc3) + 1;
      process.stdout.write(bytes.subarray(0, cut));
      setTimeout(() => process.stdout.write(bytes.subarray(cut)), 5);
      return;
    }
    send({ id, result });
    return;
  }
  send({ id, error: { code: -32601, message: 'Method not found' } });
}

for (const name of spec.special ?? []) tools.push(tool(name));
for (const line of spec.preamble ?? []) write(typeof line === 'string' ? line : `${line.text.repeat(line.times)}\n`);
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') void handle(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
