import { isPlainObject } from '../src/core/json.ts';
import { messageText } from '../src/core/message.ts';
import type { Message } from '../src/core/message.ts';
import type { ToolDefinition } from '../src/core/tool.ts';
import type { Case, DataSet } from './data.ts';
import { phrases } from './phrases.ts';
import { createRandom } from './random.ts';

/** How many conversations are made of a set's single requests. */
export interface AugmentOptions {
  readonly needing: number;
  readonly free: number;
  readonly seed: number;
}

/** Whether a case was made here and not taken from a set. */
export function isMade(one: Case): boolean {
  return one.kind.startsWith('made-') || one.kind === 'none-fits';
}

/**
 * Public sets hold few conversations, so some are made from the single requests of a set: the assistant asks for a parameter and gets a
 * short answer, sums up and gets a yes, finishes one thing and is asked the next, is thanked. What tool is needed is known in each of them.
 */
export function makeConversations(set: DataSet, options: AugmentOptions): Case[] {
  const random = createRandom(options.seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const single = set.cases.filter((one) => one.relevant.length > 0 && one.messages.length === 1);
  if (single.length === 0) return [];
  const say = (role: string, content: string): Message => ({ role, content });
  const requestOf = (one: Case): string => messageText(one.messages[0] as Message);
  const toolOf = (one: Case): ToolDefinition => set.tools[pick(one.relevant)] as ToolDefinition;

  function scrap(): string {
    const words = requestOf(pick(single)).split(/\s+/u);
    const length = 1 + Math.floor(random() * 3);
    const start = Math.floor(random() * Math.max(1, words.length - length));
    if (random() < 0.25)
      return pick([
        '5',
        'tomorrow',
        '10 am',
        'two',
        'next Friday',
        '2024-05-01',
        'the 3rd of March',
        'half past six',
        '42',
        'me',
        'at noon',
      ]);
    return words
      .slice(start, start + length)
      .join(' ')
      .replace(/[.?!,]+$/u, '');
  }

  function summary(one: Case): string {
    const words = requestOf(one).split(/\s+/u);
    const kept = words
      .filter(() => random() < 0.5)
      .slice(0, 18)
      .join(' ');
    const about = random() < 0.5 ? shorten(toolOf(one).description ?? '', 10) : '';
    return `${about} ${kept}`.trim().toLowerCase();
  }

  /** The request, then as many exchanges about it as drawn. */
  function opening(one: Case): Message[] {
    const messages = [say('user', requestOf(one))];
    const rounds = random() < 0.5 ? 1 : random() < 0.6 ? 2 : 0;
    for (let round = 0; round < rounds; round += 1) messages.push(...detail(one));
    return messages;
  }

  function detail(one: Case): Message[] {
    const parameter = random() < 0.75 ? parameterOf(toolOf(one), random) : undefined;
    const question = parameter === undefined ? pick(phrases.askAny) : pick(phrases.askDetail).replace('{x}', parameter);
    return [
      say('assistant', question),
      say('user', random() < 0.2 ? pick(phrases.pick) : pick(phrases.answer).replace('{x}', scrap())),
    ];
  }

  function finished(one: Case): Message[] {
    return [say('assistant', `${pick(phrases.done).replace('{x}', summary(one))} ${pick(phrases.more)}`.trim())];
  }

  /** Another request after the first one, in the same message. */
  function join(request: string, isLast: boolean): string {
    const link = pick(isLast ? phrases.last : phrases.also);
    return link === '' ? request : `${link} ${request.charAt(0).toLowerCase()}${request.slice(1)}`;
  }

  function conversation(place: number, kind: string): Case {
    const one = pick(single);
    const other = pick(single);
    const messages: Message[] = [];
    if (kind === 'detail') messages.push(...opening(one), ...detail(one));
    else if (kind === 'confirm')
      messages.push(
        ...opening(one),
        say('assistant', pick(random() < 0.6 ? phrases.confirm : phrases.offer).replace('{x}', summary(one))),
        say('user', random() < 0.25 ? pick(phrases.correct).replace('{x}', scrap()) : pick(phrases.agree)),
      );
    else if (kind === 'switch') {
      messages.push(...opening(other));
      if (random() < 0.75) messages.push(...finished(other));
      messages.push(say('user', `${messages.at(-1)?.role === 'assistant' ? pick(phrases.next) : ''}${requestOf(one)}`));
    } else if (kind === 'switch-detail') {
      messages.push(
        ...opening(other),
        ...finished(other),
        say('user', `${pick(phrases.next)}${requestOf(one)}`),
        ...detail(one),
      );
    } else if (kind === 'close') {
      messages.push(...opening(one));
      if (random() < 0.9) messages.push(...finished(one));
      messages.push(say('user', pick(phrases.close)));
    } else if (kind === 'talk') {
      if (random() < 0.5) messages.push(...opening(one), ...finished(one));
      messages.push(say('user', pick(random() < 0.6 ? phrases.talk : phrases.close)));
    }
    if (kind === 'several') {
      const third = random() < 0.4 ? pick(single) : undefined;
      const parts = [one, other, ...(third === undefined ? [] : [third])];
      const text = parts
        .map((part, index) => (index === 0 ? requestOf(part) : join(requestOf(part), index === parts.length - 1)))
        .join(' ');
      return {
        id: `${set.name}/made-several-${place}`,
        kind: 'made-several',
        messages: [say('user', text)],
        relevant: [...new Set(parts.flatMap((part) => part.relevant))],
        alternatives: [],
      };
    }
    const free = kind === 'close' || kind === 'talk';
    return {
      id: `${set.name}/made-${kind}-${place}`,
      kind: `made-${kind}`,
      messages,
      relevant: free ? [] : one.relevant,
      alternatives: free ? [] : one.alternatives,
    };
  }

  const kinds = [
    'detail',
    'several',
    'confirm',
    'switch',
    'detail',
    'several',
    'confirm',
    'switch',
    'detail',
    'switch-detail',
  ];
  return [
    ...Array.from({ length: options.needing }, (_, place) =>
      conversation(place, kinds[place % kinds.length] as string),
    ),
    ...Array.from({ length: options.free }, (_, place) => conversation(place, place % 4 === 3 ? 'talk' : 'close')),
  ];
}

function parameterOf(tool: ToolDefinition, random: () => number): string | undefined {
  const properties = tool.inputSchema['properties'];
  if (!isPlainObject(properties)) return undefined;
  const entries = Object.entries(properties);
  const entry = entries[Math.floor(random() * entries.length)];
  if (entry === undefined) return undefined;
  const [name, value] = entry;
  const described =
    isPlainObject(value) && typeof value['description'] === 'string' && random() < 0.5
      ? shorten(value['description'], 8)
      : '';
  return described === ''
    ? name
        .replace(/([a-z])([A-Z])/gu, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase()
    : described.toLowerCase();
}

function shorten(text: string, words: number): string {
  return text
    .split(/\s+/u)
    .slice(0, words)
    .join(' ')
    .replace(/[.?!,;:]+$/u, '');
}

/** The set with a part of its tools taken out: cases that lose every tool they need become cases without a fitting tool. */
export function thinned(set: DataSet, share: number, seed: number): DataSet {
  const random = createRandom(seed);
  const places = new Map<number, number>();
  const tools = set.tools.filter((_, place) => {
    if (random() < share) return false;
    places.set(place, places.size);
    return true;
  });
  const move = (list: readonly number[]): number[] => list.flatMap((place) => places.get(place) ?? []);
  const cases = set.cases.flatMap((one): Case[] => {
    if (one.relevant.length === 0) return [];
    const relevant = move(one.relevant);
    const alternatives = move(one.alternatives);
    if (relevant.length === one.relevant.length) return [{ ...one, relevant, alternatives }];
    return relevant.length === 0 && alternatives.length === 0
      ? [{ ...one, kind: 'none-fits', relevant, alternatives }]
      : [];
  });
  return { ...set, tools, cases };
}

/** The set among tools of other catalogues; those get a server only where the set's own tools have one, so that it tells nothing. */
export function diluted(set: DataSet, others: readonly ToolDefinition[], count: number, seed: number): DataSet {
  const random = createRandom(seed);
  const extra = Array.from({ length: count }, () => others[Math.floor(random() * others.length)] as ToolDefinition);
  const served = set.tools.some((tool) => tool.server !== undefined);
  const taken = new Set(set.tools.map((tool) => tool.name));
  const added = [...new Set(extra)].flatMap((tool) => {
    if (taken.has(tool.name)) return [];
    taken.add(tool.name);
    const { server: _server, ...alone } = tool;
    return [served ? tool : alone];
  });
  return { ...set, tools: [...set.tools, ...added] };
}
