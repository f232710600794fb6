import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

describe('transcripts and exports', () => {
  it('rename here at once and there when it can be reached; relocating takes the same content only', async () => {
    const path = rig.record('a.wav');
    await rig.add(path);
    await rig.until(['done']);
    const [state] = rig.states();
    const id = state?.tag === 'done' ? (state.transcriptId ?? '') : '';
    expect(await rig.library.transcripts.rename(id, 'Yangi nom: 1/2')).toEqual({
      ok: true,
      value: { title: 'Yangi nom: 1/2' },
    });
    await expect
      .poll(() => rig.server.seen.some(({ method, body }) => method === 'PATCH' && body.includes('Yangi nom')))
      .toBe(true);
    const rendered = await rig.library.exports.render({ transcriptId: id, format: 'srt', options: {} });
    expect(rendered.ok && rendered.value.suggestedName).toBe('Yangi nom- 1-2.srt');
    const cyrillic = await rig.library.exports.show(
      { transcriptId: id, format: 'txt', options: { script: 'cyrillic' } },
      null,
    );
    const stored = await rig.library.exports.show({ transcriptId: id, format: 'txt', options: {} }, null);
    expect(cyrillic).not.toEqual(stored);
    expect(cyrillic).toMatchObject({ ok: true, value: { kind: 'text', text: expect.stringMatching(/[Ѐ-ӿ]/u) } });
    const moved = rig.record('moved.wav');
    expect((await rig.library.transcripts.relocateMedia(id, moved)).ok).toBe(true);
    const other = await rig.library.transcripts.relocateMedia(id, rig.record('other.wav', 999));
    expect(other.ok ? null : other.error.row).toBe('E-011');
    const opened = await rig.library.transcripts.open(id);
    expect(opened.ok && opened.value.mediaPath).toBe(moved);
    const missing = await rig.library.exports.save(
      { transcriptId: id, format: 'txt', options: {} },
      join(rig.folder, 'no', 'such', 'folder', 'a.txt'),
    );
    expect(missing.ok ? null : missing.error.row).toBe('E-214');
  });
});
