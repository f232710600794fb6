import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { ExchangeView } from '../../renderer/bridge/types.ts';
import type { StudioPlan } from '../support/studio-plan.ts';

const lines = ['Sirni Rishtondan olib kelamiz.', 'Xumdonni kechqurun yoqamiz.', 'Ertasi kuni ochamiz.'].map(
  (text, at) => ({
    mark: `s${String(at + 1)}`,
    transcriptId: 'transcript-0',
    segmentId: `segment-${String(at)}`,
    startMs: at * 61_000,
    line: {
      transcriptId: 'transcript-0',
      segmentId: `segment-${String(at)}`,
      startMs: at * 61_000,
      endMs: at * 61_000 + 4000,
      speaker: 'Anvar',
      text,
    },
  }),
);
const exchange = (change: Partial<ExchangeView>): ExchangeView => ({
  id: 'exchange-0',
  conversationId: 'talk',
  askedAtMs: Date.UTC(2026, 10, 20, 9),
  task: 'question',
  question: 'Xumdon qachon yoqiladi?',
  files: [{ name: 'reja.pdf', sizeBytes: 120_000, purpose: 'document' }],
  model: 'large',
  estimate: '9.9',
  answer: 'Xumdon **kechqurun** yoqiladi [s2].\n- Ertasi kuni ochiladi [s3]\n- Bu yerda hech narsa aytilmagan edi',
  citations: lines.map(({ mark, transcriptId, segmentId, startMs }) => ({ mark, transcriptId, segmentId, startMs })),
  state: 'done',
  failure: null,
  llmRequestId: 'llm_1',
  credits: '0.6',
  usual: null,
  ...change,
});
const conversation = {
  id: 'talk',
  title: 'Xumdon qachon yoqiladi?',
  createdAtMs: Date.UTC(2026, 10, 20, 9),
  changedAtMs: Date.UTC(2026, 10, 20, 9),
  transcriptIds: ['transcript-0'],
  sources: null,
};

/** Main's answers to a page that asks questions. */
export const askAnswers = {
  'ask.models': {
    models: [
      { id: 'large', name: 'Large', inputPrice: '100', outputPrice: '400', seesImages: true, readsDocuments: true },
    ],
  },
  'ask.estimate': { tokens: 1240, credits: '9.9', usual: '0.52', lines: 0, requests: 1 },
  'ask.conversations': { conversations: [conversation] },
  'ask.open': {
    ...conversation,
    exchanges: [
      exchange({}),
      exchange({
        id: 'exchange-1',
        question: '',
        files: [],
        task: 'minutes',
        answer: 'Qatnashganlar: Anvar',
        citations: [],
        state: 'broken',
        failure: makeFailure('stream-stopped-early', { code: 'stream_incomplete' }),
        credits: null,
      }),
      exchange({
        id: 'exchange-2',
        question: '',
        files: [],
        task: 'toRu',
        answer: '[s1] Глазурь привозим из Риштана.\n[s2] Печь топим вечером.\n[s3] Открываем на следующий день.',
      }),
    ],
    cited: lines,
    credits: '0.6',
  },
} satisfies StudioPlan['answers'];
