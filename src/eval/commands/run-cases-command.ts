import { appendFile, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ToolgateError, errorMessage, isToolgateError } from '../../core/errors.ts';
import { isPlainObject } from '../../core/json.ts';
import { createToolIndex } from '../../index/tool-index.ts';
import { draftCases } from '../cases/draft-cases.ts';
import type { DraftCase } from '../cases/draft-cases.ts';
import { labelCases } from '../cases/label-cases.ts';
import type { LabelAnswer, LabelQuestion } from '../cases/label-cases.ts';
import { readConversations } from '../cases/read-conversations.ts';
import type { RecordedConversation } from '../cases/recorded-conversation.ts';
import { loadEvaluationTools } from '../load-evaluation-set.ts';
import { readJsonLines } from '../read-json-lines.ts';
import type { CommandIo } from './command-io.ts';

/** Options of `toolgate cases`, as the command line gives them. */
export interface CasesCommandOptions {
  /** Files of recorded conversations, JSON or one JSON value per line; at least one. */
  readonly from?: readonly string[] | undefined;
  /** The catalogue, in the form of `tools.jsonl`. */
  readonly tools?: string | undefined;
  /** Where labelled cases are added, in the form of `cases.jsonl`. Cases that are there already are not asked about again. */
  readonly out?: string | undefined;
  /** Takes what was called as the label, without asking. Good for a first look, not for a judgement: it holds the model's mistakes. */
  readonly acceptCalls?: boolean | undefined;
  /** Prints the drafts as JSON lines and labels nothing. */
  readonly drafts?: boolean | undefined;
  /** What relative paths start from. Default: the current directory. */
  readonly directory?: string | undefined;
  /** Asks the person. Default: prompts in the terminal. */
  readonly ask?: ((question: LabelQuestion) => Promise<LabelAnswer>) | undefined;
}

/**
 * `toolgate cases`: makes cases for `toolgate eval` out of recorded conversations. Never throws.
 * @returns exit code: 0 done or stopped by the person; 1 a file could not be written; 2 wrong options or data
 */
export async function runCasesCommand(options: CasesCommandOptions, io: CommandIo): Promise<number> {
  try {
    return await makeCases(options, io);
  } catch (error) {
    const wrongInput = isToolgateError(error) && (error.code === 'invalid-option' || error.code === 'dataset-invalid');
    io.stderr(`${errorMessage(error)}\n`);
    return wrongInput ? 2 : 1;
  }
}

async function makeCases(options: CasesCommandOptions, io: CommandIo): Promise<number> {
  const directory = options.directory ?? '.';
  const { from = [], tools: toolsFile, out } = options;
  if (from.length === 0) throw wrong('from', 'Name at least one file of recorded conversations: --from FILE.');
  if (toolsFile === undefined) throw wrong('tools', 'Name the catalogue: --tools tools.jsonl.');
  if (out === undefined && options.drafts !== true)
    throw wrong('out', 'Name the file for the cases: --out cases.jsonl.');
  if (options.drafts !== true && options.acceptCalls !== true && options.ask === undefined && !io.isTty)
    throw wrong(
      'out',
      'Labelling needs a terminal. Use --accept-calls to take what was called as labels, or --drafts.',
    );

  const tools = await loadEvaluationTools(resolve(directory, toolsFile));
  const conversations: RecordedConversation[] = [];
  for (const file of from) conversations.push(...(await readConversationFile(resolve(directory, file))));
  const drafts = draftCases(conversations, tools);
  io.stderr(`${count(drafts.length, 'draft')} from ${count(conversations.length, 'conversation')}.\n`);
  const unknown = new Set(drafts.flatMap((draft) => draft.unknown));
  if (unknown.size > 0) io.stderr(`Called, but not in the catalogue: ${[...unknown].toSorted().join(', ')}.\n`);
  if (options.drafts === true || out === undefined) {
    for (const draft of drafts) io.stdout(`${JSON.stringify(draft)}\n`);
    return 0;
  }

  const target = resolve(directory, out);
  const known = await knownIds(target);
  // Only drafts whose calls are all known: half a label would count a right tool as wrong.
  const accept = (draft: DraftCase): LabelAnswer => (draft.unknown.length > 0 ? 'skip' : { relevant: draft.called });
  const index = createToolIndex();
  index.set(tools.map((tool) => tool.definition));
  const ask =
    options.ask ??
    (options.acceptCalls === true
      ? ({ draft }: LabelQuestion) => Promise.resolve(accept(draft))
      : (await import('../cases/ask-in-terminal.ts')).askInTerminal);
  const summary = await labelCases(drafts, tools, index, known, ask, async (labelled) => {
    await appendFile(target, `${JSON.stringify(labelled)}\n`);
  });
  const rest = summary.stopped ? ' Run the same command again to go on.' : '';
  io.stderr(
    `${count(summary.labelled, 'case')} added to ${target}, ${summary.skipped} skipped, ${summary.known} there before.${rest}\n`,
  );
  return 0;
}

/** One JSON value, or one per line. Lines that are messages together make one conversation. */
async function readConversationFile(file: string): Promise<readonly RecordedConversation[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ToolgateError('dataset-invalid', `${file} cannot be read: ${errorMessage(error)}`, {
      data: { file, line: 1 },
    });
  }
  try {
    return readConversations(JSON.parse(text.replace(/^\uFEFF/, '')), file);
  } catch (error) {
    if (isToolgateError(error)) throw error;
  }
  const lines: unknown[] = [];
  for await (const { value } of readJsonLines(file)) lines.push(value);
  return readConversations(lines, file);
}

/** Ids of the cases that a file holds already; none when there is no such file. */
async function knownIds(file: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) return ids;
  for await (const { value } of readJsonLines(file)) {
    if (isPlainObject(value) && typeof value['id'] === 'string') ids.add(value['id']);
  }
  return ids;
}

function count(number: number, word: string): string {
  return `${number} ${number === 1 ? word : `${word}s`}`;
}

function wrong(option: string, message: string): ToolgateError {
  return new ToolgateError('invalid-option', message, { data: { option } });
}
