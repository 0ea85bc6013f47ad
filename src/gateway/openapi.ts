import { packageVersion } from './version.ts';

const decision = {
  oneOf: [
    { type: 'string', enum: ['approve', 'deny'] },
    {
      type: 'object',
      required: ['type'],
      properties: {
        type: { const: 'approve' },
        arguments: { description: 'Edited arguments.' },
        expected: { type: 'string' },
      },
    },
    {
      type: 'object',
      required: ['type'],
      properties: { type: { const: 'deny' }, message: { type: 'string' }, expected: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['type', 'result'],
      properties: {
        type: { const: 'respond' },
        result: { description: 'A text, or a result with content.' },
        expected: { type: 'string' },
      },
    },
  ],
};

const answers = (description: string): object => ({
  '200': { description, content: { 'application/json': { schema: { type: 'object' } } } },
  '400': { description: 'The request cannot be understood; the error names the place.' },
  '401': { description: 'No token, or not one of the two.' },
  '403': { description: 'The token does not allow this.' },
});

const body = (schema: object): object => ({ required: true, content: { 'application/json': { schema } } });
const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const inQuery = (name: string, schema: object, description?: string): object => ({
  name,
  in: 'query',
  schema,
  ...(description === undefined ? {} : { description }),
});
const caller = [{ callerToken: [] }];
const approver = [{ approverToken: [] }];
const searchSchema = {
  type: 'object',
  required: ['query'],
  properties: {
    query: { type: 'string' },
    context: { type: 'string' },
    server: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
  },
};

/** The description of the HTTP interface (OpenAPI 3.1), served at `/api/openapi.json`. */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'toolgate gateway',
      version: packageVersion,
      description:
        'Finding tools, and deciding about calls that wait. Errors are { "error": { "code", "message", "data"? } }.',
    },
    components: {
      securitySchemes: {
        callerToken: {
          type: 'http',
          scheme: 'bearer',
          description: "The caller's token: finds and calls tools, never decides.",
        },
        approverToken: {
          type: 'http',
          scheme: 'bearer',
          description: "The approver's token: sees what waits and decides.",
        },
      },
    },
    paths: {
      '/healthz': { get: { summary: 'The process is there.', responses: { '200': { description: 'ok' } } } },
      '/readyz': {
        get: {
          summary: 'Which servers are missing, and why.',
          responses: { '200': { description: 'All answer.' }, '503': { description: 'Some are missing.' } },
        },
      },
      '/metrics': {
        get: {
          summary: 'Counters in the text format of Prometheus.',
          security: [...caller, ...approver],
          responses: answers('Text.'),
        },
      },
      '/events': {
        get: {
          summary: 'Server-sent events: confirmation, upstream, tools. Hints to look again.',
          security: approver,
          responses: answers('A stream.'),
        },
      },
      '/api/tools': {
        get: {
          summary: 'All tools.',
          security: caller,
          parameters: [inQuery('server', { type: 'string' })],
          responses: answers('Tools with schemas, classes and fingerprints.'),
        },
      },
      '/api/tools/{name}': {
        get: { summary: 'One tool.', security: caller, parameters: [inPath('name')], responses: answers('The tool.') },
      },
      '/api/search': {
        get: {
          summary: 'Tools for a query.',
          security: caller,
          parameters: Object.entries(searchSchema.properties).map(([name, schema]) => inQuery(name, schema)),
          responses: answers('Hits, best first.'),
        },
        post: {
          summary: 'Tools for a query.',
          security: caller,
          requestBody: body(searchSchema),
          responses: answers('Hits, best first.'),
        },
      },
      '/api/select': {
        post: {
          summary: 'Tools for a conversation.',
          security: caller,
          requestBody: body({
            type: 'object',
            required: ['messages'],
            properties: { messages: { type: 'array', items: { type: 'object', required: ['role', 'content'] } } },
          }),
          responses: answers('The selected tools, and a report with a reason for each kept and dropped one.'),
        },
      },
      '/api/confirmations': {
        get: {
          summary: 'Calls that wait or waited, newest first.',
          security: approver,
          parameters: [
            inQuery('state', { enum: ['open', 'settled'] }),
            inQuery('callState', { type: 'string' }, 'One or more states, with commas.'),
            inQuery('limit', { type: 'integer' }),
            inQuery('cursor', { type: 'string' }),
          ],
          responses: answers('{ items, next? }'),
        },
      },
      '/api/confirmations/{id}': {
        get: {
          summary: 'One confirmation.',
          security: approver,
          parameters: [inPath('id')],
          responses: answers('The confirmation.'),
        },
      },
      '/api/confirmations/{id}/decisions': {
        post: {
          summary:
            'Decides. What is approved runs at most once; the same decision again changes nothing and gives what is recorded.',
          security: approver,
          parameters: [inPath('id')],
          requestBody: body({
            type: 'object',
            properties: {
              decision,
              decisions: { type: 'object', additionalProperties: decision },
              waitMs: { type: 'number', description: 'How long to wait for the end of the call. Default 20000.' },
            },
          }),
          responses: answers('{ answers, confirmation }'),
        },
      },
      '/api/confirmations/{id}/cancel': {
        post: {
          summary: 'Settles what has not run.',
          security: approver,
          parameters: [inPath('id')],
          responses: answers('The confirmation.'),
        },
      },
      '/api/confirmations/{id}/resolve': {
        post: {
          summary: 'Says of a call whose end is unknown how it ended, or lets it run again.',
          security: approver,
          parameters: [inPath('id')],
          requestBody: body({
            type: 'object',
            required: ['key', 'resolution'],
            properties: { key: { type: 'string' }, resolution: { enum: ['succeeded', 'failed', 'run-again'] } },
          }),
          responses: answers('The confirmation.'),
        },
      },
      '/api/audit': {
        get: {
          summary: 'What happened to a confirmation.',
          security: approver,
          parameters: [inQuery('confirmation', { type: 'string' })],
          responses: answers('{ confirmation, entries }'),
        },
      },
      '/api/upstreams': {
        get: { summary: 'The servers behind the gateway.', security: approver, responses: answers('{ upstreams }') },
      },
    },
  };
}
