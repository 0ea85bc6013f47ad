/** What the description of `ToolCallConfirmationRequiredException` promises, sentence by sentence. */
export const confirmationRequirements: Readonly<Record<string, string>> = {
  'confirmation.thrown':
    'Thrown by the manager when a call of the reply needs a confirmation before it runs and no decisions were given.',
  'confirmation.policy': 'A policy says which calls need a confirmation.',
  'confirmation.none-ran': 'When it is thrown, none of the calls of the reply ran.',
  'confirmation.loop': 'A tool-calling loop pauses on it and returns the reply to its caller as the model gave it.',
  'confirmation.metadata': 'The loop lists the keys of the calls that wait under AWAITING_DECISION_METADATA_KEY.',
  'confirmation.run':
    'The caller collects the decisions and runs the reply with executeToolCalls(conversation, reply, decisions).',
  'confirmation.constructor': 'The error is created for the keys of the calls that wait.',
  'confirmation.order': 'toolCallIds has the keys in the order the model asked for the calls.',
  'confirmation.keys': 'The keys are those of ToolCallDecisions.toolCallKeys(reply).',
  'confirmation.serialized': 'The error survives being serialized.',
};
