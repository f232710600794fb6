import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readTextFile } from '../../electron/platform/node/read-text-file.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { unpackChange } from '../../shared/domain/transcript/packed.ts';
import { findViolations } from '../../shared/domain/transcript/find-violations.ts';
import { talk } from '../support/dictation-studio.ts';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';

let rig: QueueRig;
beforeEach(async () => {
  rig = await openQueueRig();
});
afterEach(() => rig.close());

describe('transcripts and exports', () => {
  it('renaming works here at once and at the service when it can be reached; relocating accepts the same content only', async () => {
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

  it('a dictated text keeps its own recording', async () => {
    const { dictation, transcripts } = rig.library;
    const started = dictation.start({
      language: 'uz',
      mode: 'hold',
      device: '',
      storesNothing: false,
      continues: null,
    });
    if (!started.ok) throw new Error(started.error.code);
    started.value.push(talk(1000, 1), null, 0);
    started.value.end();
    const takeId = () => dictation.list().then(([take]) => take?.id ?? '');
    await expect.poll(takeId).not.toBe('');
    const saved = await rig.library.saveTake(await takeId(), 'Dictation');
    if (!saved.ok) throw new Error(saved.error.code);
    const { transcriptId } = saved.value;
    expect(await transcripts.relocateMedia(transcriptId, rig.record('other.wav'))).toMatchObject({
      ok: false,
      error: { row: 'E-011', code: 'other_recording' },
    });
    const found = transcripts.find(transcriptId);
    const copy = join(rig.folder, 'copy.wav');
    copyFileSync(found.ok ? found.value.mediaPath : '', copy);
    expect(await transcripts.relocateMedia(transcriptId, copy)).toMatchObject({ ok: true });
  });

  it('the content of what is erased is reported, so that nothing keeps or plays it any more', async () => {
    const erased: string[] = [];
    const own = await openQueueRig(takesAll, { onErased: (contents) => void erased.push(...contents) });
    onTestFinished(() => own.close());
    await own.add(own.record('a.wav'));
    await own.until(['done']);
    const { items, transcripts, deletion } = own.library;
    const listed = deletion.list();
    const id = listed.ok ? (listed.value[0]?.id ?? '') : '';
    const found = transcripts.find(id);
    expect(await items.trash([{ kind: 'transcript', id }])).toMatchObject({ ok: true });
    expect(erased).toEqual([]);
    expect(await items.erase([{ kind: 'transcript', id }], false)).toMatchObject({ ok: true });
    expect(erased).toEqual([found.ok ? found.value.mediaSha256 : '']);
  });

  it('a transcript of another program is imported with the recording beside it, and exported again', async () => {
    const media = rig.record('suhbat.wav');
    const path = join(rig.folder, 'suhbat.uz.srt');
    writeFileSync(path, '\ufeff1\r\n00:00:00,100 --> 00:00:01,000\r\nSalom, dunyo!\r\n');
    const renamed = join(dirname(media), 'suhbat.uz.srt');
    if (renamed !== path) copyFileSync(path, renamed);
    const read = await readTextFile(renamed);
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value.mediaPath).toBe(media);
    const imported = await rig.library.importTranscript({ ...read.value, language: 'uz' });
    if (!imported.ok) throw new Error(imported.error.code);
    const opened = await rig.library.transcripts.open(imported.value.transcriptId);
    expect(opened).toMatchObject({
      ok: true,
      value: {
        title: 'suhbat.uz',
        mediaPath: media,
        transcript: { segments: [{ startMs: 100, text: 'Salom, dunyo!' }] },
      },
    });
    // Two words do not reveal a language; the user chooses it, and that counts as no edit.
    const { transcriptId, isLanguageOpen } = imported.value;
    expect(isLanguageOpen).toBe(true);
    expect(rig.library.transcripts.setLanguage(transcriptId, 'ru')).toMatchObject({ ok: true });
    expect(await rig.library.transcripts.open(transcriptId)).toMatchObject({
      value: { revision: 0, transcript: { language: 'ru', segments: [{ text: 'Salom, dunyo!' }] } },
    });
    expect(rig.library.transcripts.setLanguage('nothing', 'ru')).toMatchObject({ ok: false, error: { row: 'E-040' } });
    // The recording beside it may be the wrong one.
    const other = rig.record('other.wav', 999);
    expect(await rig.library.transcripts.relocateMedia(transcriptId, other)).toMatchObject({ ok: true });
    expect(await rig.library.transcripts.open(transcriptId)).toMatchObject({
      value: { mediaPath: other, recordingPath: other },
    });
    const request = { transcriptId: imported.value.transcriptId, format: 'srt', options: {} } as const;
    expect(await rig.library.exports.show(request, null)).toMatchObject({
      value: { text: expect.stringContaining('Salom, dunyo!') },
    });
    expect(rig.server.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(rig.tags()).toEqual([]);
  });

  it('an imported text is as long as the recording beside it or attached to it, and never shorter than what is in it', async () => {
    const path = join(rig.folder, 'uzun.srt');
    writeFileSync(path, '1\n00:00:00,100 --> 00:00:01,000\nSalom, dunyo!\n');
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    expect(read.value.mediaPath).toBe(null);
    const { importTranscript, transcripts, items } = rig.library;
    const imported = async (mediaPath: string | null) => {
      const made = await importTranscript({ ...read.value, mediaPath, language: 'uz' });
      return made.ok ? made.value.transcriptId : '';
    };
    const lengthOf = async (id: string) => {
      const opened = await transcripts.open(id);
      const listed = await items.list();
      const item = listed.ok ? listed.value.items.find((one) => one.id === id) : undefined;
      return opened.ok && [opened.value.transcript.durationMs, item?.durationMs, opened.value.revision];
    };
    expect(await lengthOf(await imported(rig.record('uzun.wav', 300, 3)))).toEqual([3000, 3000, 0]);
    const id = await imported(null);
    expect(await lengthOf(id)).toEqual([1000, 1000, 0]);
    await transcripts.relocateMedia(id, rig.record('4 s.wav', 310, 4));
    expect(await lengthOf(id)).toEqual([4000, 4000, 0]);
    // An older version is as long as the recording too.
    transcripts.edit(id, 0, [{ label: 'shift', change: [{ type: 'shift', from: 0, byMs: 1500 }] }]);
    expect(await transcripts.version(id, 0)).toMatchObject({ value: { change: [{ type: 'set' }] } });
    await transcripts.relocateMedia(id, rig.record('short.wav', 320, 0.5));
    expect(await lengthOf(id)).toEqual([2500, 2500, 1]);
  });

  it('an older version of captions has room for those that a shorter recording was attached without', async () => {
    const path = join(rig.folder, 'ikki.srt');
    writeFileSync(path, '1\n00:00:00,100 --> 00:00:01,000\nSalom.\n\n2\n00:00:02,000 --> 00:00:03,000\nXayr.\n');
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    const { importTranscript, transcripts } = rig.library;
    const made = await importTranscript({ ...read.value, mediaPath: null, language: 'uz' });
    const id = made.ok ? made.value.transcriptId : '';
    transcripts.edit(id, 0, [
      { label: 'shift', change: [{ type: 'shift', from: 1, byMs: 10 }] },
      { label: 'delete', change: [{ type: 'splice', at: 1, removed: ['s2'], inserted: [] }] },
    ]);
    await transcripts.relocateMedia(id, rig.record('qisqa.wav', 340, 1.5));
    const [opened, older] = [await transcripts.open(id), await transcripts.version(id, 1)];
    if (!opened.ok || !older.ok || older.value === null) throw new Error('not there');
    expect(opened.value.transcript.durationMs).toBe(1500);
    const restored = applyChange(opened.value.transcript, unpackChange(older.value.change));
    expect(restored.ok && findViolations(restored.value.transcript)).toEqual([]);
    expect(restored.ok && restored.value.transcript.durationMs).toBe(3010);
  });

  it('the length of a recording that was attached before lengths were measured is caught up on, or taken from the player', async () => {
    const path = join(rig.folder, 'eski.srt');
    writeFileSync(path, '1\n00:00:00,100 --> 00:00:01,000\nSalom, dunyo!\n');
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    const { importTranscript, transcripts } = rig.library;
    const recording = rig.record('boshqa.wav', 330, 5);
    const made = await importTranscript({ ...read.value, mediaPath: recording, language: 'uz' });
    const id = made.ok ? made.value.transcriptId : '';
    const lengthOf = async () => {
      const opened = await transcripts.open(id);
      return opened.ok && opened.value.transcript.durationMs;
    };
    transcripts.edit(id, 0, [{ label: 'mend', change: [{ type: 'duration', durationMs: 1000 }] }]);
    expect(await lengthOf()).toBe(1000);
    expect(await transcripts.measureRecording(id, 4990)).toEqual({ ok: true, value: 5000 });
    expect(await lengthOf()).toBe(5000);
    // Nothing here reads its length, but it is played.
    writeFileSync(recording, 'no recording');
    expect(await transcripts.measureRecording(id, 6000)).toEqual({ ok: true, value: 6000 });
    expect(await lengthOf()).toBe(6000);
    expect(await transcripts.measureRecording(id, null)).toEqual({ ok: true, value: null });
    expect(await lengthOf()).toBe(6000);
  });

  it('a text or captions among the recordings to add is called that, and other files are not', async () => {
    const paths = ['told.SRT', 'told.vtt', 'told.json', 'told.txt', 'words.mp3', 'report.pdf'].map((name) =>
      join(rig.folder, name),
    );
    for (const path of paths) writeFileSync(path, 'only words');
    const { refused } = await rig.library.files.inspect(paths);
    expect(refused.map(({ name, failure }) => [name, failure.code])).toEqual([
      ['told.SRT', 'text_file'],
      ['told.vtt', 'text_file'],
      ['told.json', 'text_file'],
      ['told.txt', 'text_file'],
      ['words.mp3', 'not_audio'],
      ['report.pdf', 'not_audio'],
    ]);
  });

  it('an import says which captions of the file were changed or left out', async () => {
    const path = join(rig.folder, 'xato.srt');
    writeFileSync(
      path,
      '1\n00:00:01,000 --> 00:00:03,000\n<i>bir</i>\n\n2\n00:00:02,000 --> 00:00:01,000\nikki\n\n3\nqachondir\nuch\n',
    );
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    expect(await rig.library.importTranscript({ ...read.value, language: 'uz' })).toMatchObject({
      value: {
        report: {
          changedCount: 3,
          countedIn: 'lines',
          kinds: [
            { kind: 'unreadable', places: [9] },
            { kind: 'end', places: [6] },
            { kind: 'overlap', places: [2] },
            { kind: 'marks', places: [2] },
          ],
        },
      },
    });
  });

  it('a transcript without a recording is exported as text; an audio export says that there is none', async () => {
    const path = join(rig.folder, 'yolgʻiz.srt');
    writeFileSync(path, '1\n00:00:00,100 --> 00:00:01,000\nSalom!\n');
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    const imported = await rig.library.importTranscript({ ...read.value, language: 'uz' });
    const transcriptId = imported.ok ? imported.value.transcriptId : '';
    // Importing the same file again asks first, unless it is wanted; a file that only looks like captions is rejected.
    const again = { ...read.value, language: 'uz', skipsRepeats: true } as const;
    expect(await rig.library.importTranscript(again)).toMatchObject({ ok: false, error: { row: 'E-212' } });
    expect(await rig.library.importTranscript({ ...again, skipsRepeats: false })).toMatchObject({ ok: true });
    const fake = { ...again, name: 'fake.vtt', bytes: new TextEncoder().encode('not a subtitle at all') };
    expect(await rig.library.importTranscript(fake)).toMatchObject({ ok: false, error: { row: 'E-211' } });
    const save = (format: 'wav' | 'txt') =>
      rig.library.exports.save({ transcriptId, format, options: {} }, join(rig.folder, `out.${format}`));
    expect(await save('txt')).toMatchObject({ ok: true });
    const refused = await save('wav');
    expect(refused).toMatchObject({ ok: false, error: { row: 'E-010', code: 'no_recording' } });
    if (!refused.ok) expect(describeFailure(refused.error).textKey).toBe('errors.variants.no_recording.text');
    expect(await rig.library.transcripts.relocateMedia(transcriptId, rig.record('yolgʻiz.wav'))).toMatchObject({
      ok: true,
    });
    expect(await save('wav')).toMatchObject({ ok: true });
  });

  it('the last caption of subtitles without a recording is fixed to the right, in a file and in the text', async () => {
    const path = join(rig.folder, 'oxiri.srt');
    writeFileSync(path, '1\n00:00:04,000 --> 00:00:04,500\nMaktabda necha yildan beri ishlaysiz?\n');
    const read = await readTextFile(path);
    if (!read.ok) throw new Error(read.error.code);
    const imported = await rig.library.importTranscript({ ...read.value, language: 'uz' });
    const transcriptId = imported.ok ? imported.value.transcriptId : '';
    const { exports, transcripts } = rig.library;
    const options = { cuesFrom: 'segments', mends: true };
    const written = async () => {
      const shown = await exports.show({ transcriptId, format: 'srt', options }, null);
      return shown.ok && shown.value.kind === 'text' ? shown.value.text : '';
    };
    expect(await written()).toContain('00:00:04,000 --> 00:00:06,177');
    const longer = transcripts.edit(transcriptId, 0, [
      { label: 'mend', change: [{ type: 'duration', durationMs: 6177 }] },
    ]);
    expect(longer).toMatchObject({ ok: true });
    expect(await transcripts.open(transcriptId)).toMatchObject({ value: { transcript: { durationMs: 6177 } } });
    // With a recording, the text ends with it.
    expect(await transcripts.relocateMedia(transcriptId, rig.record('oxiri.wav'))).toMatchObject({ ok: true });
    transcripts.edit(transcriptId, 1, [{ label: 'mend', change: [{ type: 'duration', durationMs: 4500 }] }]);
    expect(await written()).toContain('--> 00:00:04,500');
  });
});
