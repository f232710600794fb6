import type { RequestOutput } from '../../renderer/bridge/types.ts';
import { requestIdentity, updateBlocks, withTake } from '../../shared/domain/speech/blocks.ts';
import { emptyDocument, requestsOf, type SpeechDocument } from '../../shared/domain/speech/speech-document.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';

type Take = RequestOutput<'speak.findTakes'>['takes'][number];

const voice = (id: string, name: string, gender: string, description: string, isOwn = false, palette = '') => ({
  id,
  name,
  languages: ['uz'],
  gender,
  isOwn,
  description,
  palette: palette === '' ? null : palette,
});
export const someVoices: RequestOutput<'speak.voices'> = {
  voices: [
    voice('voice_madina', 'Madina', 'female', 'Sokin, hikoya uchun'),
    voice('voice_jasur', 'Jasur', 'male', 'Iliq, ertak uchun'),
    voice('voice_mine', 'Mening ovozim', 'male', 'Nusxa, 12-noyabr', true),
    voice('voice_nigora', 'Nigora', 'female', 'Yorqin, yangiliklar uchun'),
    { ...voice('voice_anton', 'Anton', 'male', 'Спокойный'), languages: ['ru'] },
    { ...voice('voice_claire', 'Claire', 'female', 'Clear'), languages: ['en'] },
  ],
  languages: ['uz', 'ru', 'en'],
  canSpeak: true,
  readAtMs: Date.UTC(2026, 10, 20, 9),
  failure: null,
};

const someText = `Hurmatli mehmonlar, siz uchinchi zaldasiz. Bu yerda oʻn toʻqqizinchi asrga oid ipak matolar saqlanadi. Oldingizdagi adras choponni margʻilonlik usta Turgʻunboy Mirzaahmedov toʻqigan.

Naqshdagi anor toʻkinlik va baraka ramzi hisoblanadi. Boʻyoqlar faqat tabiiy: roʻyan ildizi, anor poʻsti va isparak guli. Koʻrgazma 25.11.2026 gacha ochiq turadi.

Keyingi zalga oʻtish uchun chap tomondagi eshikdan kiring.`;

const bars = btoa(String.fromCharCode(...Array.from({ length: 60 }, (_, at) => 30 + ((at * 73) % 160))));

/** A text of seven sentences: four are spoken, one was changed since, one failed, the last is new. */
export function someSpeech(): {
  readonly 'speak.open': RequestOutput<'speak.open'>;
  readonly 'speak.findTakes': RequestOutput<'speak.findTakes'>;
  readonly 'speak.voices': RequestOutput<'speak.voices'>;
  readonly 'speak.history': RequestOutput<'speak.history'>;
} {
  const defaults = { language: 'uz', voiceId: 'voice_madina', otherVoices: {}, speed: 1.1 } as const;
  let number = 0;
  const newId = () => `block-${String((number += 1))}`;
  const blocks = updateBlocks([], someText, { language: 'uz', limit: 5000, newId });
  const document: SpeechDocument = {
    ...emptyDocument('document-1', defaults),
    title: 'Audiogid, 3-zal',
    text: someText,
    blocks,
  };
  const requests = requestsOf(document);
  const takeOf = (index: number, change: Partial<Take> = {}): Take => {
    const request = requests[index];
    if (request === undefined) throw new Error('no such sentence');
    return {
      ...request,
      id: `take-${String(index)}`,
      identity: requestIdentity(request),
      state: 'made',
      createdAtMs: Date.UTC(2026, 10, 20, 9, index),
      durationMs: 3600 + index * 700,
      bars,
      failure: null,
      mediaUrl: `/media/take-${String(index)}`,
      ...change,
    };
  };
  const made = [0, 1, 2, 3].map((index) => takeOf(index));
  const old = takeOf(4, { id: 'take-old', identity: 'of other words', text: 'Boʻyoqlar tabiiy.' });
  const failed = takeOf(5, {
    state: 'failed',
    mediaUrl: null,
    failure: makeFailure('product-unavailable', { status: 503 }),
  });
  const heard = blocks.map((block, index) => {
    const take = made[index];
    if (index === 1) return { ...withTake(block, 'take-1'), speed: 1.05, isLocked: true };
    if (take !== undefined)
      return index === 2 ? { ...withTake(block, take.id), comment: 'Usta bilan tekshirish' } : withTake(block, take.id);
    return index === 4 ? withTake(block, old.id) : block;
  });
  return {
    'speak.open': {
      document: { ...document, blocks: heard.map((block) => ({ ...block, takeIds: [...block.takeIds] })) } as never,
      documents: [
        { id: 'document-1', title: 'Audiogid, 3-zal', updatedAtMs: Date.UTC(2026, 10, 20, 9) },
        { id: 'document-2', title: 'Reklama, radio', updatedAtMs: Date.UTC(2026, 10, 19, 9) },
      ],
      takes: [...made, old],
      pronunciations: {},
      voiceMarks: { favourites: ['voice_madina'], recent: ['voice_madina', 'voice_jasur'] },
    },
    'speak.findTakes': { takes: [...made, failed] },
    'speak.voices': someVoices,
    'speak.history': {
      takes: [
        ...made,
        takeOf(6, { id: 'take-of-voice', identity: 'of a voice', text: 'Salom. Bu ovoz shunday eshitiladi.' }),
      ],
      remote: [],
      hasMore: false,
      failure: null,
      texts: [
        {
          id: 'document-1',
          title: 'Audiogid, 3-zal',
          takeIds: made.map(({ id }) => id),
          parts: made.map(({ id, text }) => ({ takeId: id, pauseMs: 150, text, tempo: 1 })),
        },
      ],
    },
  };
}
