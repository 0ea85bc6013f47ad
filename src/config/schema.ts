import { z } from 'zod';
import { parseDuration } from './duration.ts';
import type { ConfigInput } from './input.ts';

const text = z.string();
const name = z.string().min(1, 'expected a text that is not empty');
const texts = z.array(text);
const textMap = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number, true or false'),
);

const durationWords = 'expected milliseconds or a duration such as "45s", "2m", "1h", "30d"';

/** Milliseconds as a number, or a text such as `45s`, `2m`, `1h`, `30d`. */
const duration = z.union(
  [
    z.number().min(0).max(Number.MAX_SAFE_INTEGER),
    z.string().refine((value) => parseDuration(value) !== undefined, durationWords),
  ],
  durationWords,
);
const limit = z
  .union([duration, z.null()], `${durationWords}, or null`)
  .describe('Milliseconds or a duration such as "45s". 0 or null: no limit.');

/** One entry of `mcpServers`. Keys of today's clients are taken as they are; the rest are toolgate's own. */
const serverSchema = z.looseObject({
  command: name.optional().describe('Program of a server that speaks over standard input and output.'),
  args: texts.optional(),
  env: textMap.optional().describe('Added to the minimal environment of the child process.'),
  cwd: name.optional(),
  url: name.optional().describe('Address of a server that speaks over HTTP.'),
  serverUrl: name.optional().describe('The same as url.'),
  httpUrl: name.optional().describe('The same as url, for Streamable HTTP.'),
  headers: textMap.optional(),
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse']).optional(),
  transport: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'streamable_http', 'sse']).optional(),
  disabled: z.boolean().optional(),
  enabled: z.boolean().optional(),
  description: text.optional(),
  timeout: z
    .number()
    .min(0)
    .optional()
    .describe('As clients write it: below 1,000 seconds, else milliseconds. The same as callTimeoutMs.'),
  includeTools: texts.optional(),
  excludeTools: texts.optional(),
  disabledTools: texts.optional().describe('The same as excludeTools.'),
  autoApprove: z.unknown().optional(),
  alwaysAllow: z.unknown().optional(),
  trust: z
    .enum(['none', 'annotations'])
    .optional()
    .describe(
      'annotations: what this server says of its own tools (read-only, not destructive) is believed. Default none.',
    ),
  protocol: z.enum(['auto', 'legacy', 'modern']).optional(),
  shared: z
    .boolean()
    .optional()
    .describe('true: one connection for all clients. Default: clients with sessions get one each.'),
  connectTimeoutMs: limit.optional(),
  listTimeoutMs: limit.optional(),
  callTimeoutMs: limit.optional(),
  callTotalTimeoutMs: limit.optional(),
  maxTools: z.number().int().min(1).max(100_000).optional(),
});

const share = z.number().min(0).max(1);

const policyRule = z.union(
  [
    z.boolean().describe('true: a person must decide; false: runs at once.'),
    z.enum(['allow', 'confirm', 'deny']),
    z.strictObject({ deny: text }),
  ],
  'expected true, false, "allow", "confirm", "deny" or { "deny": "reason" }',
);

const servers = z.record(z.string().min(1).max(64), serverSchema);

/** `toolgate.config.json`. */
const configSchema = z.looseObject({
  $schema: text.optional(),
  mcpServers: servers.optional().describe('The servers behind the gateway, as in the configuration of an MCP client.'),
  servers: servers.optional().describe('The same as mcpServers.'),
  mode: z.enum(['search', 'all', 'auto']).optional(),
  autoTokens: z.number().int().min(0).optional(),
  host: name.optional(),
  port: z.number().int().min(0).max(65_535).optional(),
  allowedHosts: texts.optional(),
  publicUrl: z.url('expected an address such as https://tools.example.com').optional(),
  auth: z.boolean().optional(),
  pinned: texts.optional(),
  policy: z
    .record(z.string(), policyRule)
    .optional()
    .describe('What happens to calls of a tool, by name or pattern with *.'),
  prefix: z.enum(['on-collision', 'always', 'never']).optional(),
  trust: z.enum(['none', 'annotations']).optional().describe('For servers that do not say it themselves.'),
  acceptIn: z.enum(['page', 'client']).optional(),
  acceptDestructiveInClient: z.boolean().optional(),
  holdMs: duration.optional(),
  expires: limit.optional(),
  maxWaiting: z
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe('Most calls of one caller that may wait for a person at the same time. Default 200.'),
  maxArgumentLength: z.number().int().min(1_000).optional(),
  startWaitMs: duration.optional(),
  store: z.strictObject({ path: name }).optional(),
  selection: z
    .strictObject({
      calibration: z.strictObject({ slope: z.number().positive(), offset: z.number() }).optional(),
      rule: z
        .union([
          z.strictObject({ minProbability: share }),
          z.strictObject({
            keep: z.strictObject({
              expectedRecall: share,
              maxTools: z.number().int().min(1).optional(),
              minProbability: share.optional(),
            }),
          }),
        ])
        .optional(),
    })
    .optional()
    .describe('How /api/select selects: what "toolgate tune" found for this installation.'),
  stateDirectory: name.optional(),
  defaults: z
    .looseObject({
      connectTimeoutMs: limit.optional(),
      listTimeoutMs: limit.optional(),
      callTimeoutMs: limit.optional(),
      callTotalTimeoutMs: limit.optional(),
      maxTools: z.number().int().min(1).max(100_000).optional(),
    })
    .optional()
    .describe('For servers that do not say it themselves.'),
});

/** One thing that is wrong with a configuration. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Checks a configuration as written. Unknown keys are kept: they are warned about elsewhere, not refused. */
export function checkConfig(
  value: unknown,
):
  | { readonly ok: true; readonly value: ConfigInput }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] } {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
      message: issue.message,
    })),
  };
}

/** Keys of the top level, of a server and of `defaults`, for "did you mean". */
export const knownKeys: Readonly<Record<'top' | 'server' | 'defaults', readonly string[]>> = {
  top: Object.keys(configSchema.shape),
  server: Object.keys(serverSchema.shape),
  defaults: ['connectTimeoutMs', 'listTimeoutMs', 'callTimeoutMs', 'callTotalTimeoutMs', 'maxTools'],
};

/** A JSON Schema (2020-12) of the file, for editors. */
export function configJsonSchema(): Record<string, unknown> {
  return { title: 'toolgate.config.json', ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) };
}
