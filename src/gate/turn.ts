import type { Catalogue, RegisteredTool } from '../catalog/types.ts';
import type { ToolCallDecisions } from '../confirm/tool-call-decisions.ts';
import type { ToolConversation, ToolExecution } from '../confirm/types.ts';
import { keyedCalls } from '../core/call-identity.ts';
import type { Message, Reply } from '../core/message.ts';
import { explainSelection } from '../select/explain-selection.ts';
import type { SelectionReport } from '../select/types.ts';
import type { Arrangement } from './arrange-tools.ts';
import type { ListedTools } from './list-tools.ts';
import { rememberFound } from './remember-found.ts';
import type { ConversationSession, SessionTable } from './session.ts';
import type { ToolChoice, ToolTurn, TurnRequest } from './types.ts';

/** What a turn needs of its gate. */
export interface TurnParts {
  readonly request: TurnRequest;
  readonly catalogue: Catalogue;
  /** Before what the principal may not use was taken out. */
  readonly all: Catalogue;
  readonly arranged: Arrangement;
  readonly listed: ListedTools;
  readonly searchTools: readonly RegisteredTool[];
  readonly report: SelectionReport;
  readonly toolChoice: ToolChoice;
  readonly session: ConversationSession;
  /** Tells the gate that made the turn. */
  readonly sessions: SessionTable;
  /** Identifies the user message that the turn belongs to. */
  readonly userMessage: string;
  /** Names of the gate's own search tools. */
  readonly searchNames: ReadonlySet<string>;
  readonly run: (reply: Reply, decisions: ToolCallDecisions | undefined, turn: TurnParts) => Promise<ToolExecution>;
  readonly next: (messages: readonly Message[], turn: TurnParts) => Promise<ToolTurn>;
}

/** The conversation of a turn as the manager takes it: what can be called, and what was shown. */
export function conversationOf(parts: TurnParts): ToolConversation {
  const { request, catalogue, listed, searchTools } = parts;
  return {
    id: request.conversation,
    messages: request.messages,
    tools: { get: (name) => searchTools.find((tool) => tool.name === name) ?? catalogue.get(name) },
    principal: request.principal,
    shown: listed.names,
    attributes: request.attributes,
    signal: request.signal,
  };
}

/**
 * A turn over its parts. They are private to the very object: a copy has none, and a table of all turns would have to be swept by the
 * garbage collector again and again.
 */
export class GateTurn implements ToolTurn {
  readonly #parts: TurnParts;
  readonly tools: ToolTurn['tools'];
  readonly toolChoice: ToolChoice;
  readonly report: SelectionReport;
  readonly catalogue: Catalogue;
  readonly explain: ToolTurn['explain'];
  readonly execute: ToolTurn['execute'];
  readonly refresh: ToolTurn['refresh'];

  constructor(parts: TurnParts) {
    const { listed, report, toolChoice, catalogue, session } = parts;
    this.#parts = parts;
    this.tools = listed.definitions;
    this.toolChoice = toolChoice;
    this.report = report;
    this.catalogue = catalogue;
    this.explain = () => explainSelection(report);
    this.execute = async (reply, decisions) => {
      const execution = await parts.run(reply, decisions, parts);
      for (const { part } of keyedCalls(reply))
        if (catalogue.get(part.toolName) !== undefined) session.called.add(part.toolName);
      return rememberFound(execution, session, parts.searchNames);
    };
    this.refresh = (messages) => parts.next(messages, parts);
  }

  /** The parts of a turn that the gate with these sessions made; undefined for anything else. */
  static partsOf(turn: ToolTurn, sessions: SessionTable): TurnParts | undefined {
    return Object(turn) === turn && #parts in turn && turn.#parts.sessions === sessions ? turn.#parts : undefined;
  }
}
