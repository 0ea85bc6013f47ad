// Replies in the two formats of the OpenAI interface, whole and as a stream of events: `{ calls }` or `{ text }`.
const model = 'gpt-4.1';
const created = 1_790_000_000;

export function chatCompletion({ calls = [], text = null }, number) {
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: text, refusal: null };
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: calls.length === 0 ? message : { ...message, tool_calls: toolCalls },
        logprobs: null,
        finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 },
  };
}

export function chatCompletionEvents(reply, number) {
  const { choices, usage, ...head } = chatCompletion(reply, number);
  const [{ message, finish_reason: finish }] = choices;
  const chunk = (delta, reason = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const { tool_calls: calls = [], ...start } = message;
  return [
    chunk({ ...start, content: '' }),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    ...(message.content === null ? [] : [chunk({ content: message.content })]),
    chunk({}, finish),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ]
    .map((data) => `data: ${JSON.stringify(data)}\n\n`)
    .concat('data: [DONE]\n\n')
    .join('');
}

export function response({ calls = [], text }, number) {
  const output = calls.map(({ id, name, input }) => ({
    type: 'function_call',
    id: `fc_${number}_${id}`,
    call_id: id,
    name,
    arguments: JSON.stringify(input),
    status: 'completed',
  }));
  if (text !== undefined)
    output.push({
      type: 'message',
      id: `msg_${number}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    });
  return { ...responseHead(number), status: 'completed', output, usage: responseUsage };
}

const responseUsage = {
  input_tokens: 900,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 930,
};

function responseHead(number) {
  return {
    id: `resp_${number}`,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    metadata: {},
  };
}

export function responseEvents(reply, number) {
  const whole = response(reply, number);
  const events = [
    { type: 'response.created', response: responseHead(number) },
    { type: 'response.in_progress', response: responseHead(number) },
    ...whole.output.flatMap((item, index) => itemEvents(item, index)),
    { type: 'response.completed', response: whole },
  ];
  return events
    .map(
      (event, position) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: position })}\n\n`,
    )
    .join('');
}

function itemEvents(item, index) {
  const place = { output_index: index, item_id: item.id };
  const added = { type: 'response.output_item.added', output_index: index };
  const done = { type: 'response.output_item.done', output_index: index, item };
  if (item.type === 'function_call')
    return [
      { ...added, item: { ...item, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
      { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
      done,
    ];
  const [part] = item.content;
  const where = { ...place, content_index: 0 };
  return [
    { ...added, item: { ...item, content: [], status: 'in_progress' } },
    { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...where, delta: part.text, logprobs: [] },
    { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...where, part },
    done,
  ];
}
