import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Speaks like OpenAI's `/v1/decisions` and like System One, so that the examples run without a key; judges by common words. */
export async function standIn(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body = JSON.parse(text) as { input?: string; state?: unknown; questions: unknown };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.url === '/v1/decisions' ? decisions(body) : systemOne(body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** High when what the tool does shares a word of five letters or more with the conversation. */
export function judge(conversation: string, question: string): number {
  const words = new Set(conversation.toLowerCase().match(/[a-z]{5,}/gu));
  const [, does = question] = question.split(' does: ');
  return (does.toLowerCase().match(/[a-z]{5,}/gu) ?? []).some((word) => words.has(word)) ? 0.9 : 0.05;
}

function decisions(body: { readonly input?: string; readonly questions: unknown }): unknown {
  const questions = body.questions as readonly { readonly name: string; readonly instructions: string }[];
  const answers = questions.map(({ name, instructions }) => ({
    type: 'predicate',
    name,
    probability: judge(body.input ?? '', instructions),
  }));
  return { model: 'stand-in', answers };
}

function systemOne(body: { readonly state?: unknown; readonly questions: unknown }): unknown {
  const questions = body.questions as Readonly<Record<string, { readonly instructions: string }>>;
  const answers = Object.entries(questions).map(([id, { instructions }]) => [
    id,
    { type: 'noul', noul: judge(JSON.stringify(body.state), instructions) },
  ]);
  return { model: 'stand-in', answers: Object.fromEntries(answers) as unknown };
}
