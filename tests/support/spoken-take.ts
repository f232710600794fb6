import { openTakesFolder } from '../../electron/platform/node/takes-folder.ts';
import type { Phrase } from '../../shared/domain/dictation/take.ts';

/** A stored take as dictation leaves it, in the folder of takes. */
export async function spokenTake(
  folder: string,
  id: string,
  texts: readonly string[],
  paidIds: readonly string[] = [],
): Promise<void> {
  const takes = openTakesFolder(folder);
  const facts = {
    id,
    goesOn: [],
    startedAtMs: Date.now() - 60_000,
    title: null,
    language: 'uz',
    mode: 'toggle',
    device: 'Microphone',
    captured: 32_000 * texts.length,
    known: 32_000 * texts.length,
    isEnded: true,
    isPinned: false,
    hasSound: true,
    transcriptId: null,
    lostMs: 0,
    rewritings: [],
  } as const;
  const record = takes.create(facts, () => undefined);
  if (!record.ok) throw new Error(record.error.kind);
  record.value.spool.append(new Uint8Array(64_000 * texts.length));
  const phrases = texts.map((text, at) => ({
    id: at + 1,
    from: at * 32_000,
    to: (at + 1) * 32_000,
    state: 'text',
    hasSpeech: true,
    language: 'uz',
    texts: [{ language: 'uz', received: { text, segments: [], paidIds: paidIds.slice(at, at + 1) } }],
    failure: null,
    edited: null,
    deliveredTo: null,
  }));
  record.value.write(facts, phrases as unknown as readonly Phrase[]);
  await record.value.finish();
  record.value.close();
}
