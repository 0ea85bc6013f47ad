// The receiving end of the outbox: checks who speaks and hands on what was said. It knows toolgate's messages and no workflow engine.
import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
// In a project of yours: from 'toolgate'.
import { signWebhook } from '../../dist/index.js';

export interface Webhook {
  /** The same each time this message is delivered. */
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly conversation: string;
    readonly pause: string;
    readonly from?: string;
    readonly to?: string;
  };
}

const toleranceSeconds = 300;

/** Answers 204 once `receive` has kept the message, 401 to a stranger, and 500 when it must be delivered again. */
export function webhookEndpoint(secret: string, receive: (message: Webhook) => Promise<void>): Server {
  const key = new TextEncoder().encode(secret);
  return createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      const id = String(request.headers['webhook-id']);
      const timestamp = Number(request.headers['webhook-timestamp']);
      const signature = Buffer.from(String(request.headers['webhook-signature']));
      const expected = Buffer.from(signWebhook(key, id, timestamp, body));
      const recent = Math.abs(Date.now() / 1000 - timestamp) <= toleranceSeconds;
      if (!recent || signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
        response.writeHead(401).end();
        return;
      }
      const message = JSON.parse(body) as Omit<Webhook, 'id'>;
      receive({ ...message, id }).then(
        () => response.writeHead(204).end(),
        () => response.writeHead(500).end(),
      );
    });
  });
}
