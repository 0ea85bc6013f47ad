import { definitionsOf } from '../catalog/definitions-of.ts';
import { createRegistry } from '../catalog/registry.ts';
import type { Catalogue, RegisteredTool, ToolLookup } from '../catalog/types.ts';
import { ToolCallingManager } from '../confirm/manager.ts';
import { digestText } from '../core/digest.ts';
import { silentLogger } from '../core/logger.ts';
import { toolCallParts } from '../core/message.ts';
import type { Message, Reply } from '../core/message.ts';
import type { Principal } from '../core/principal.ts';
import type { Invocation, ToolProviderRequest } from '../core/provider.ts';
import { randomIds, systemClock } from '../core/system.ts';
import { noTelemetry } from '../core/telemetry.ts';
import type { DecisionModel } from '../decision/port.ts';
import { localDecisionModel } from '../relevance/local-decision-model.ts';
import { createSearchService } from '../search/search-service.ts';
import type { SearchContext } from '../search/search-service.ts';
import type { PassReason } from '../select/pass-unasked.ts';
import type { Shortlist } from '../select/shortlist.ts';
import { strategyShortlist } from '../select/strategy-shortlist.ts';
import { selectionLabels } from '../select/selection-labels.ts';
import type { SelectionReport } from '../select/types.ts';
import { askerOf } from './asker.ts';
import { AllowedCatalogues } from './allowed-catalogue.ts';
import { arrangeTools } from './arrange-tools.ts';
import type { Arrangement } from './arrange-tools.ts';
import { checkGateOptions } from './check-options.ts';
import { checkMessages, checkTurnRequest } from './check-request.ts';
import { defaultRanking, defaultSearchStrategy } from './default-search.ts';
import { digestUserMessage } from './digest-user-message.ts';
import { choiceAmongShown, fittingChoice } from './fitting-choice.ts';
import { foundInMessages } from './found-in-messages.ts';
import type { ToolGateOptions } from './options.ts';
import { keepAlso } from './keep-also.ts';
import { listTools } from './list-tools.ts';
import { KnownNames } from './known-names.ts';
import { rememberFound } from './remember-found.ts';
import { reportAll } from './report-all.ts';
import { SearchToolTemplates, searchToolsFor } from './search-tools.ts';
import { createGateCalls } from './single-calls.ts';
import { selectForTurn, turnSelectors } from './select-for-turn.ts';
import { SessionTable } from './session.ts';
import type { ConversationSession, KeptArrangement } from './session.ts';
import { tell } from './tell.ts';
import { GateTurn, conversationOf } from './turn.ts';
import type { TurnParts } from './turn.ts';
import type { GateSearchRequest, GateSearchResult, ToolChoice, ToolGate, ToolTurn, TurnRequest } from './types.ts';

const emptyMessage: Message = { role: 'user', content: '' };

/**
 * Joins selection, search and confirmation over one registry: the object that adapters, the assistant and the gateway use.
 * Throws `invalid-option` and `duplicate-tool` at construction.
 */
export function createToolGate(options: ToolGateOptions): ToolGate {
  checkGateOptions(options);
  const logger = options.logger ?? silentLogger;
  const clock = options.clock ?? systemClock;
  const ids = options.ids ?? randomIds;
  const telemetry = options.telemetry ?? noTelemetry;
  const strategy = options.search === false ? undefined : (options.search ?? defaultSearchStrategy());
  const reservedNames =
    strategy === undefined ? [] : strategy.getToolSearchTools({ id: 'names', attributes: {} }).map(({ name }) => name);
  const {
    minTools = 13,
    minTokens = 2000,
    tokenBudget,
    sticky = true,
    decisionModel,
    ...rest
  } = options.selection === false ? {} : (options.selection ?? {});
  const selectors =
    options.selection === false
      ? undefined
      : turnSelectors({
          ...rest,
          decisionModel: decisionModel ?? localDecisionModel(),
          shortlist: rest.shortlist ?? shortlistFor(decisionModel),
          minTools,
          minTokens,
          clock,
          logger,
          telemetry,
        });
  const registry = createRegistry({
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.providers === undefined ? {} : { providers: options.providers }),
    ...(options.prefix === undefined ? {} : { prefix: options.prefix }),
    ...(options.names === undefined ? {} : { names: options.names }),
    ...(options.providerTimeoutMs === undefined ? {} : { providerTimeoutMs: options.providerTimeoutMs }),
    reservedNames,
    clock,
    logger,
  });
  const isDynamic = (options.providers ?? []).some(({ dynamic }) => dynamic === true);
  const known = new KnownNames(1000);
  const allowedCatalogues = new AllowedCatalogues();
  const searchNames: ReadonlySet<string> = new Set(reservedNames);
  const templates = new SearchToolTemplates();
  /** The gate's own search tools: they find only what the principal may use, so everybody may call them. */
  const ownTools = new WeakSet<RegisteredTool>();
  const { allow } = options;
  const sessions = new SessionTable(options.maxConversations ?? 10_000);
  const manager = new ToolCallingManager({
    ...options.confirm,
    ...(options.store === undefined ? {} : { store: options.store }),
    ...(allow === undefined
      ? {}
      : {
          authorise: (tool: RegisteredTool, principal: Principal | undefined) =>
            ownTools.has(tool) || allow(tool, principal),
        }),
    // With `allow`, a name that this principal never saw must look as if it had never been.
    wasKnown: (name, principal) =>
      options.allow === undefined ? registry.wasKnown(name, principal) : known.has(name, principal),
    tools: async () => lookupOf(await everything({}), undefined),
    clock,
    ids,
    logger,
    telemetry,
  });
  /** Without selection all conversations begin alike. */
  const firsts = new WeakMap<SelectionReport, KeptArrangement>();
  const searchService = createSearchService({ strategy: strategy ?? defaultSearchStrategy() });

  function providerRequest(request: Partial<TurnRequest>, invocation: Invocation): ToolProviderRequest {
    const messages = request.messages ?? [];
    return {
      userMessage: request.userMessage ?? messages.findLast(({ role }) => role === 'user') ?? emptyMessage,
      originalUserMessage: request.originalUserMessage,
      messages,
      invocation,
      principal: request.principal,
      signal: request.signal ?? new AbortController().signal,
    };
  }

  function invocationOf(request: Partial<TurnRequest>): Invocation {
    return { id: ids.next('invocation'), conversation: request.conversation, attributes: request.attributes ?? {} };
  }

  /** All tools of every provider for a request; what this principal may not use is still in it. */
  async function everything(request: Partial<TurnRequest>): Promise<Catalogue> {
    return await registry.catalogue(providerRequest(request, invocationOf(request)));
  }

  async function allowed(request: Partial<TurnRequest>, all: Catalogue): Promise<Catalogue> {
    const catalogue = await allowedCatalogues.of(all, options.allow, request.principal, logger);
    if (options.allow !== undefined) known.add(catalogue, request.principal);
    return catalogue;
  }

  function ownSearchTools(templates: Catalogue, context: () => SearchContext): readonly RegisteredTool[] {
    const tools = searchToolsFor(templates, searchService, context);
    if (allow !== undefined) for (const tool of tools) ownTools.add(tool);
    return tools;
  }

  /** What can be called when no turn is at hand: all tools, and the search tool over those that this principal may use. */
  async function lookupOf(all: Catalogue, principal: Principal | undefined): Promise<ToolLookup> {
    if (strategy === undefined) return all;
    const pool = definitionsOf(await allowed({ principal }, all));
    const search = ownSearchTools(templates.of(searchService.getToolSearchTools(pool)), () => ({ pool }));
    return { get: (name) => search.find((tool) => tool.name === name) ?? all.get(name) };
  }

  async function prepare(
    request: TurnRequest,
    all: Catalogue,
    invocation: Invocation,
    session: ConversationSession = sessions.of(request.conversation, request.principal),
  ): Promise<ToolTurn> {
    const catalogue = await allowed(request, all);
    const asked = providerRequest(request, invocation);
    const userMessage = digestUserMessage(request.messages, asked.userMessage, session);
    const isNewUserMessage = session.userMessage !== userMessage;
    session.userMessage = userMessage;
    for (const name of foundInMessages(request.messages)) session.found.add(name);
    const notes: string[] = [];
    const wantedChoice = fittingChoice(request.toolChoice ?? 'auto', catalogue, reservedNames, notes);
    const selected = await select(request, asked, catalogue, session, wantedChoice, userMessage);
    const arranged = arrange(catalogue, selected, session, isNewUserMessage);
    const pool = definitionsOf(catalogue);
    // What the search tool says of itself stays as it was when the conversation began: it stands in front of all other tools.
    session.searchTools ??= templates.of(searchService.getToolSearchTools(pool, invocation));
    const searchTools =
      strategy !== undefined && selectors !== undefined && session.mode === 'select'
        ? ownSearchTools(session.searchTools, () => ({
            pool,
            alreadyFound: [...arranged.names, ...session.found],
            invocation,
          }))
        : [];
    const listed = listTools(arranged, searchTools);
    const toolChoice = choiceAmongShown(wantedChoice, listed.names, notes);
    const report =
      notes.length === 0 ? arranged.report : { ...arranged.report, notes: [...arranged.report.notes, ...notes] };
    tell('onSelection', logger, () =>
      options.onSelection?.(report, { conversation: request.conversation, principal: request.principal }),
    );
    const parts: TurnParts = {
      request,
      catalogue,
      all,
      arranged,
      listed,
      searchTools,
      report,
      toolChoice,
      session,
      sessions,
      userMessage,
      searchNames,
      run,
      next,
    };
    return new GateTurn(parts);
  }

  /** What is shown now. Without a budget it comes out the same as long as catalogue, selection and what was shown before are the same. */
  function arrange(
    catalogue: Catalogue,
    report: SelectionReport,
    session: ConversationSession,
    isNewUserMessage: boolean,
  ): Arrangement {
    // A conversation that has been shown nothing yet begins like any other with the same selection.
    const kept = session.arrangement ?? (session.shown.length === 0 ? firsts.get(report) : undefined);
    const isKept =
      tokenBudget === undefined &&
      kept?.catalogue === catalogue &&
      kept.report === report &&
      kept.mode === session.mode &&
      (kept.after === session.shown || kept.before.length + session.shown.length === 0);
    if (isKept) {
      session.shown = kept.after;
      sessions.keepArrangement(session, kept);
      return kept.made;
    }
    const before = session.shown;
    const made = arrangeTools(catalogue, report, session, { tokenBudget, sticky, isNewUserMessage });
    // What an arrangement has to say of a change is said once.
    if (tokenBudget !== undefined || made.report.notes.length > report.notes.length) return made;
    const arrangement = { catalogue, report, mode: session.mode, before, after: session.shown, made };
    if (before.length === 0 && selectors === undefined) firsts.set(report, arrangement);
    sessions.keepArrangement(session, arrangement);
    return made;
  }

  async function select(
    request: TurnRequest,
    asked: ToolProviderRequest,
    catalogue: Catalogue,
    session: ConversationSession,
    toolChoice: ToolChoice,
    userMessage: string,
  ): Promise<SelectionReport> {
    if (selectors === undefined) return reportAll(catalogue);
    const key = JSON.stringify([catalogue.fingerprint, userMessage]);
    const isForced = toolChoice === 'required' || typeof toolChoice === 'object';
    if (!isDynamic && !isForced && session.selection?.key === key) {
      const { selection } = session;
      selection.again = keepAlso(selection.again ?? { ...selection.report, cached: true }, session, request.messages);
      sessions.keepSelection(session, selection);
      return selection.again;
    }
    const passed = new Map<string, PassReason>();
    // What was shown is asked about again: only then is it known what is still in use, and the rule does not reach for less probable tools.
    for (const name of session.called) passed.set(name, 'shown');
    for (const name of session.found) passed.set(name, 'found');
    for (const tool of catalogue.tools) if (tool.direct) passed.set(tool.name, 'direct');
    const report = await selectForTurn(
      {
        catalogue,
        messages: request.messages,
        userMessage: asked.userMessage,
        originalUserMessage: request.originalUserMessage,
        principal: request.principal,
        toolChoice: typeof toolChoice === 'object' && reservedNames.includes(toolChoice.tool) ? 'auto' : toolChoice,
        signal: request.signal,
        passed,
      },
      selectors,
      session,
    );
    sessions.keepSelection(session, { key, report });
    return report;
  }

  async function run(
    reply: Parameters<ToolTurn['execute']>[0],
    decisions: Parameters<ToolTurn['execute']>[1],
    parts: TurnParts,
  ): ReturnType<ToolTurn['execute']> {
    const execution = await manager.executeToolCalls(conversationOf(parts), reply, decisions);
    giveLabels(reply, parts);
    return execution;
  }

  function giveLabels(reply: Reply, { request, report, userMessage }: TurnParts): void {
    if (options.onLabels === undefined) return;
    const names = toolCallParts(reply).map(({ toolName }) => toolName);
    const labels = selectionLabels(report, names);
    if (labels.length === 0) return;
    const id = digestText(JSON.stringify([request.conversation ?? '', userMessage]));
    tell('onLabels', logger, () => options.onLabels?.({ id, labels }));
  }

  async function next(messages: readonly Message[], parts: TurnParts): Promise<ToolTurn> {
    // A forced choice holds for one call: repeated, it would never let the model end.
    const toolChoice = parts.request.toolChoice === 'none' ? 'none' : 'auto';
    const request: TurnRequest = { ...parts.request, messages, toolChoice };
    checkTurnRequest(request);
    const invocation = invocationOf(request);
    const all = isDynamic ? await registry.refresh(parts.all, providerRequest(request, invocation)) : parts.all;
    return await prepare(request, all, invocation, parts.session);
  }

  return {
    async turn(request) {
      checkTurnRequest(request);
      const invocation = invocationOf(request);
      return await prepare(request, await registry.catalogue(providerRequest(request, invocation)), invocation);
    },
    catalogue: async (request = {}) => await allowed(request, await everything(request)),
    search: async (request) => await search(request),
    async resume(pauseId, request = {}) {
      if (request.messages !== undefined) checkMessages(request.messages);
      const identity = (await manager.confirmations.get(pauseId))?.identity;
      // The tools are those of whoever asked for the calls, whoever goes on with them.
      const origin =
        identity === undefined
          ? request
          : { ...request, conversation: identity.conversation, principal: askerOf(identity, request.principal) };
      const tools = await lookupOf(await everything(origin), origin.principal);
      const execution = await manager.resume(pauseId, { ...request, tools });
      return rememberFound(execution, sessions.of(origin.conversation, origin.principal), searchNames);
    },
    supersede: async (conversation, principal) => await manager.supersede({ id: conversation, principal }),
    confirmations: manager.confirmations,
    calls: createGateCalls({
      manager,
      partsOf: (turn) => GateTurn.partsOf(turn, sessions),
      lookup: async (request) => await lookupOf(await everything(request), request.principal),
      searchNames,
      activates: (options.confirm?.hidden ?? 'activate') === 'activate',
    }),
  };

  async function search(request: GateSearchRequest): Promise<GateSearchResult> {
    const catalogue = await allowed(request, await everything(request));
    const result = await searchService.search(request.query, {
      pool: definitionsOf(catalogue),
      ...(request.server === undefined ? {} : { server: request.server }),
      ...(request.limit === undefined ? {} : { limit: request.limit }),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    return {
      found: result.found.flatMap((hit) => {
        const tool = catalogue.get(hit.name);
        return tool === undefined ? [] : [{ ...hit, tool }];
      }),
      total: result.total,
      text: result.text,
    };
  }
}

/** Models that take any number of questions need no shortlist; others are asked about the hundred tools that words and meaning put first. */
function shortlistFor(model: DecisionModel | undefined): Shortlist | undefined {
  if (model === undefined || model.batching === 'none') return undefined;
  return strategyShortlist(defaultRanking(), { size: 100 });
}
