import type { Logger } from '../core/logger.ts';
import type { Tool } from '../core/tool.ts';
import type { SchemaDialect } from '../schema/repair.ts';
import type { ProviderAnswer } from './ask-provider.ts';
import { ownNameOf } from './catalogue-of.ts';
import { createCatalogue } from './catalogue.ts';
import { directIdentity, ownerOf } from './names.ts';
import type { NameRequest, Names } from './names.ts';
import { checkTool, registerTool } from './registered-tool.ts';
import type { Catalogue, CatalogueProblem, RegisteredTool } from './types.ts';

export interface CatalogueBuilderOptions {
  readonly names: Names;
  readonly dialect: SchemaDialect;
  readonly logger: Logger;
}

/** Answers that were put together lately; the same answers give the same catalogue, with everything computed for it. */
const mostRecent = 8;
const mostLogged = 10_000;

interface Entry {
  readonly tool: Tool;
  readonly answer: ProviderAnswer;
  readonly request: NameRequest;
}

/**
 * Puts providers' answers together. Nothing is shared between callers but tools that both were given: a catalogue is only
 * used again for exactly the same tool objects in the same order.
 */
export class CatalogueBuilder {
  readonly #options: CatalogueBuilderOptions;
  readonly #registered = new WeakMap<Tool, RegisteredTool[]>();
  readonly #logged = new Set<string>();
  #recent: { readonly answers: readonly ProviderAnswer[]; readonly catalogue: Catalogue }[] = [];

  constructor(options: CatalogueBuilderOptions) {
    this.#options = options;
  }

  build(answers: readonly ProviderAnswer[]): Catalogue {
    const known = this.#recent.find((one) => areSame(one.answers, answers));
    if (known !== undefined) return known.catalogue;
    const problems: CatalogueProblem[] = [];
    const entries = this.#entries(answers, problems);
    const names = this.#options.names.give(entries.map((entry) => entry.request));
    const tools = entries.map((entry, index): RegisteredTool => {
      const given = names[index];
      if (given?.reason !== undefined)
        problems.push({
          code: 'renamed-tool',
          provider: entry.answer.provider,
          tool: entry.tool.name,
          message: given.reason,
        });
      return this.#register(entry, given?.name ?? '');
    });
    for (const problem of problems) this.#log(problem);
    const catalogue = createCatalogue(tools, problems);
    this.#recent = [{ answers, catalogue }, ...this.#recent].slice(0, mostRecent);
    return catalogue;
  }

  #entries(answers: readonly ProviderAnswer[], problems: CatalogueProblem[]): readonly Entry[] {
    const entries: Entry[] = [];
    const repetitions = new Map<string, number>();
    for (const answer of answers) {
      if (answer.problem !== undefined) problems.push(answer.problem);
      for (const candidate of answer.tools) {
        const check = checkTool(candidate, this.#options.dialect);
        if (!check.ok) {
          const tool = ownNameOf(candidate);
          problems.push({
            code: 'invalid-tool',
            provider: answer.provider,
            ...(tool === '' ? {} : { tool }),
            message: check.message,
          });
          continue;
        }
        const tool = candidate as Tool;
        if (check.notes.length > 0) {
          problems.push({
            code: 'repaired-schema',
            provider: answer.provider,
            tool: tool.name,
            message: `The input schema of ${tool.name} was mended: ${check.notes.join('; ')}.`,
          });
        }
        const identity = answer.direct
          ? directIdentity
          : tool.server === undefined
            ? `provider:${answer.provider}`
            : `server:${tool.server.identity}`;
        const first = ownerOf(identity, tool.name, 0);
        const repetition = repetitions.get(first) ?? 0;
        repetitions.set(first, repetition + 1);
        if (repetition > 0) {
          problems.push({
            code: 'duplicate-tool',
            provider: answer.provider,
            tool: tool.name,
            message: `The tool name ${JSON.stringify(tool.name)} was given more than once; each has its own exposed name.`,
          });
        }
        const request = {
          owner: repetition === 0 ? first : ownerOf(identity, tool.name, repetition),
          ownName: tool.name,
          prefix: tool.server?.name ?? answer.provider,
          direct: answer.direct,
        };
        entries.push({ tool, answer, request });
      }
    }
    return entries;
  }

  #register(entry: Entry, name: string): RegisteredTool {
    const { tool, answer } = entry;
    const versions = this.#registered.get(tool) ?? [];
    const known = versions.find(
      (one) => one.name === name && one.provider === answer.provider && one.direct === answer.direct,
    );
    if (known !== undefined) return known;
    const registered = registerTool(tool, {
      name,
      provider: answer.provider,
      direct: answer.direct,
      dialect: this.#options.dialect,
    });
    this.#registered.set(tool, [registered, ...versions].slice(0, 16));
    return registered;
  }

  #log(problem: CatalogueProblem): void {
    const key = JSON.stringify([problem.code, problem.provider, problem.tool ?? '', problem.message]);
    if (this.#logged.has(key)) return;
    if (this.#logged.size >= mostLogged) this.#logged.clear();
    this.#logged.add(key);
    const details = {
      code: problem.code,
      provider: problem.provider,
      ...(problem.tool === undefined ? {} : { tool: problem.tool }),
    };
    if (problem.code === 'renamed-tool' || problem.code === 'repaired-schema')
      this.#options.logger.info(problem.message, details);
    else this.#options.logger.warn(problem.message, details);
  }
}

function areSame(one: readonly ProviderAnswer[], other: readonly ProviderAnswer[]): boolean {
  return (
    one.length === other.length &&
    one.every((answer, index) => {
      const match = other[index];
      if (match === undefined || answer === match) return match !== undefined;
      return (
        answer.provider === match.provider &&
        answer.problem?.message === match.problem?.message &&
        areSameTools(answer.tools, match.tools)
      );
    })
  );
}

/** Compared before each call of the model, so without a call for each tool. */
function areSameTools(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let position = 0; position < one.length; position += 1) if (one[position] !== other[position]) return false;
  return true;
}
