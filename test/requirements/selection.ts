/** What the description of `DecisionModelFilteringToolProvider` promises, sentence by sentence. */
export const selectionRequirements: Readonly<Record<string, string>> = {
  'selection.relevant':
    'Only the tools of another tool provider that are relevant to the conversation, as decided by a decision model, are passed on.',
  'selection.before': 'The tools are selected before the first call of the model; no search round trip is needed.',
  'selection.minimum':
    'By default every tool whose probability of being useful reaches the minimum probability is passed on.',
  'selection.window':
    'The selection is based on the system messages and the last 10 messages of the conversation, with tool calls and tool results.',
  'selection.max-messages': 'maxMessages sets how many of the last messages the selection is based on.',
  'selection.message-filter': 'messageFilter sets which messages the selection is based on.',
  'selection.follow-up':
    'Follow-up messages such as "do the same for Berlin" are selected for with the messages before them.',
  'selection.message-length': 'Long messages are shortened to maxMessageLength.',
  'selection.batches': 'Tools are asked about in batches of maxToolsPerDecisionRequest.',
  'selection.conversation-per-batch': 'The conversation is sent with every batch of tools.',
  'selection.only-wrapped': 'Only the tools of the wrapped tool provider are filtered.',
  'selection.always': 'Tools marked as always visible, and those named in alwaysInclude, are always passed on.',
  'selection.called': 'Tools that were already called in the conversation are always passed on.',
  'selection.request-messages': 'Previous messages are only known if the caller passes them in the request.',
  'selection.dynamic':
    'If the wrapped provider is dynamic, the tools are selected again, with a call to the decision model, before each call of the model.',
  'selection.dynamic-results':
    'The decision model then also sees the tool calls and tool results of the previous rounds.',
  'selection.dynamic-change': 'The selected tools can change from one call of the model to the next.',
  'selection.original':
    'The tools are selected for the user message as the user sent it, before retrieved content and format instructions were added.',
  'selection.stored': 'The previous messages are sent as they are stored.',
  'selection.no-text': 'If the user message has no text, all tools are passed on.',
  'selection.fallback': 'If the decision model fails or refuses to answer, the fallback strategy applies.',
  'selection.fallback-default': 'By default all tools are passed on and a warning is logged.',
};
