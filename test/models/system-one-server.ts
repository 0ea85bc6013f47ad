import type { ContractAnswer, ContractBehaviour } from '../../src/testing/decision-model-contract.ts';
import type { ReceivedCall, ServerReply } from './decision-server.ts';

interface WireQuestion {
  readonly type: 'noul' | 'choice' | 'score';
  readonly instructions: string;
  readonly criteria?: unknown;
}

/** What a System One server does, with the limits and error bodies of one of them. */
export function systemOneReply(
  behaviour: ContractBehaviour,
  limits: { readonly maxQuestions: number; readonly maxBytes: number; readonly maxOptions: number },
): (call: ReceivedCall) => ServerReply {
  return (call) => {
    if (behaviour.fault === 'hang') return 'hang';
    if (behaviour.fault === 'garbage') return { text: '<html>It works!</html>' };
    if (behaviour.fault === 'error') return { status: 422, json: { detail: 'no such model' } };
    const body = call.body as {
      readonly model?: unknown;
      readonly state?: unknown;
      readonly questions?: Record<string, WireQuestion>;
    };
    const questions = Object.entries(body.questions ?? {});
    const problem = check(call, body, questions, limits);
    if (problem !== undefined) return { status: 400, json: { error: { message: problem } } };
    const answers: [string, unknown][] = [];
    for (const [id, question] of questions) {
      const answer = encode(question, behaviour.answer?.(question.instructions) ?? { probability: 0.5 });
      // An unanswerable question is left out.
      if (answer !== undefined) answers.push([id, answer]);
    }
    return {
      json: {
        model: 'jev-1.13.0',
        answers: Object.fromEntries(answers),
        usage: { input_tokens: 10, output_tokens: 2 },
      },
    };
  };
}

function check(
  call: ReceivedCall,
  body: { readonly model?: unknown; readonly state?: unknown },
  questions: readonly [string, WireQuestion][],
  limits: { readonly maxQuestions: number; readonly maxBytes: number; readonly maxOptions: number },
): string | undefined {
  if (call.path !== '/v1/systemone') return `no such path: ${call.path}`;
  if (typeof body.model !== 'string') return 'model is required';
  if (body.state === undefined || body.state === '') return 'state is required';
  if (questions.length === 0) return 'questions are required';
  if (questions.length > limits.maxQuestions) return `at most ${limits.maxQuestions} questions`;
  if (Buffer.byteLength(call.text) > limits.maxBytes) return `body is larger than ${limits.maxBytes} bytes`;
  for (const [, { type, criteria }] of questions) {
    if (type === 'choice' && Object.keys(criteria as object).length > limits.maxOptions) return 'too many options';
  }
  return undefined;
}

function encode(question: WireQuestion, answer: ContractAnswer): unknown {
  if (answer === 'refusal') return undefined;
  if (answer === 'wrong-type') return { type: 'box', box: { top: 0, left: 0, bottom: 1, right: 1 } };
  if ('probability' in answer) return { type: 'noul', noul: answer.probability };
  if ('choice' in answer)
    return { type: 'choice', choice: answer.choice, probabilities: answer.probabilities, confidence: 0.8 };
  const { mean, probabilities } = answer;
  return {
    type: 'score',
    score: mean,
    legend: Object.fromEntries((question.criteria as string[]).map((label, index) => [String(index), label])),
    probabilities: Object.fromEntries(probabilities.map((probability, index) => [String(index), probability])),
    confidence: 0.7,
  };
}
