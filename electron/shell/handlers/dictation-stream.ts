import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { StreamHandlers } from '../../../shared/ipc/derive.ts';
import { ok } from '../../../shared/result/result.ts';
import type { HandlerServices } from './handler-services.ts';

export type DictationStreamServices = Pick<HandlerServices, 'workspaces' | 'settings'> & {
  readonly window: Pick<HandlerServices['window'], 'hearDictation' | 'noteMicrophoneGone'>;
};

/** Turns audio from a page into a take; it ends with the stream, however that ends. */
export function dictationStream({
  workspaces,
  settings,
  window: { hearDictation, noteMicrophoneGone },
}: DictationStreamServices): StreamHandlers<Contract>['dictation.session'] {
  return async ({ mode, device, continues }, stream) => {
    const workspace = workspaces.current();
    if (!workspace.ok) return workspace;
    // The global key may just have chosen another language, by program or keyboard layout.
    const { storesNoTakes, dictationLanguage: language } = settings.get();
    const recording = workspace.value.dictation.start({
      language,
      mode,
      device,
      storesNothing: storesNoTakes,
      continues,
    });
    if (!recording.ok) return recording;
    const take = recording.value;
    let heard = 0;
    let lost = 0;
    try {
      await stream.send({ kind: 'started', takeId: take.takeId, fromMs: take.fromMs });
      for await (const message of stream.incoming) {
        if (message.kind === 'language') {
          take.setLanguage(message.language);
          continue;
        }
        if (message.kind === 'gone') {
          noteMicrophoneGone(message.device);
          continue;
        }
        const { at, pcm, speech } = message;
        lost = Math.max(lost, at - heard);
        heard += pcm.length;
        hearDictation(pcm);
        take.push(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), speech, (lost * 1000) / dictationRate);
      }
    } finally {
      take.end();
    }
    return ok(undefined);
  };
}
