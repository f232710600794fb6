import { expect, it } from 'vitest';
import type { SendingState, TakeChange } from '../../../shared/domain/dictation/take-view.ts';
import type { WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import { OverlayState } from './overlay-state.ts';

const phrase = (id: number, state: WrittenPhrase['state'], text = ''): WrittenPhrase => ({
  id,
  startMs: 0,
  endMs: 1000,
  spokenAtMs: 0,
  language: 'uz',
  state,
  text,
  recognised: text,
  raw: text,
  cleanUp: null,
  isEdited: false,
  used: [],
  firstTry: null,
  isTakenBack: false,
  unanswered: 0,
  failure: null,
  deliveredTo: null,
});

function rig() {
  let now = 1_000_000;
  const overlay = new OverlayState(() => now);
  const tell = (isRecording: boolean, phrases: TakeChange['phrases'], sending: SendingState | null = null): void =>
    overlay.follow({
      takeId: 'take',
      startedAtMs: 0,
      phrases,
      rewritings: [],
      sending,
      isRecording,
      hasDiskTrouble: false,
    });
  return { overlay, tell, tick: (ms: number) => (now += ms) };
}

it('listens, waits, shows the text for four seconds and is gone', () => {
  const { overlay, tell, tick } = rig();
  expect(overlay.scene()).toBeNull();
  tell(true, [phrase(1, 'text', 'Oldingi gap.')]);
  tick(7000);
  // Text from earlier in the same session no longer counts.
  expect(overlay.scene()).toMatchObject({ state: 'listening', onForMs: 7000, text: '' });
  tell(false, [phrase(1, 'text', 'Oldingi gap.'), phrase(2, 'waiting')]);
  tick(30_000);
  expect(overlay.scene()).toMatchObject({ state: 'sending', text: '', waiting: 1 });
  tell(false, [phrase(1, 'text', 'Oldingi gap.'), phrase(2, 'text', 'Yangi gap.')]);
  tick(3900);
  expect(overlay.scene()).toMatchObject({ state: 'text', text: 'Yangi gap.' });
  tick(200);
  expect(overlay.scene()).toBeNull();
});

it('warns near the limit of a phrase, names the program, and keeps what was pasted nowhere in view until it is used', () => {
  const { overlay, tell, tick } = rig();
  // The program is known before the take.
  overlay.begin('Telegram');
  tell(true, []);
  tell(true, [phrase(1, 'speaking')]);
  tick(25_000);
  expect(overlay.scene()?.state).toBe('listening');
  tick(2000);
  expect(overlay.scene()?.state).toBe('near');
  tell(true, [phrase(1, 'waiting'), phrase(2, 'speaking')]);
  expect(overlay.scene()?.state).toBe('listening');
  tell(false, [phrase(1, 'waiting')]);
  expect(overlay.scene()).toMatchObject({ state: 'sending', program: 'Telegram', waitingMs: 1000 });
  tell(false, [phrase(1, 'text', 'Gap.')]);
  overlay.noteDelivery({ kind: 'kept', why: 'window-changed' });
  tick(600_000);
  expect(overlay.scene()).toMatchObject({ state: 'kept', text: 'Gap.', program: 'Telegram' });
  overlay.dismiss();
  expect(overlay.scene()).toBeNull();
});
