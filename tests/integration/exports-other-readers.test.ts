import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findSystemBrowser, printByBrowser } from '../../electron/platform/node/print-by-browser.ts';
import { writeDocx } from '../../electron/services/exports/write-docx.ts';
import { cleanLine } from '../../shared/domain/exports/format-text.ts';
import { exporters } from '../../shared/domain/exports/exporters.ts';
import { toFragment, toPlainText } from '../../shared/domain/exports/html.ts';
import type { ExportFormat } from '../../shared/domain/exports/formats.ts';
import { keptSpans } from '../../shared/domain/exports/prepare.ts';
import type { GivenOptions } from '../../shared/domain/exports/options.ts';
import { plainForSrt } from '../../shared/domain/exports/srt.ts';
import { writeDocument } from '../../shared/domain/exports/write-export.ts';
import { makeCues } from '../../shared/domain/subtitles/make-cues.ts';
import { standardProfile } from '../../shared/domain/subtitles/profiles.ts';
import { cutSpans } from '../../shared/domain/transcript/edit-marks.ts';
import { scriptOf } from '../../shared/domain/transcript/in-script.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { anyTranscript } from '../support/any-transcript.ts';

/** Independent programs, used if they are installed; otherwise the test says what it did not check. */
const isThere = (program: string, option = '-version'): boolean => spawnSync(program, [option]).status === 0;
const has = {
  ffprobe: isThere('ffprobe'),
  python: isThere('python3', '--version'),
  otio: spawnSync('python3', ['-c', 'import opentimelineio']).status === 0,
  pandoc: isThere('pandoc', '--version'),
  office: isThere('soffice', '--version'),
  pdftotext: isThere('pdftotext', '-v'),
};
for (const [program, found] of Object.entries(has))
  if (!found) console.warn(`Skipped: ${program} is not installed, so no second reader checks what it reads.`);

const folder = mkdtempSync(join(tmpdir(), 'ovoz-exports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const facts = {
  title: 'Adras & <ipak>',
  madeAtMs: Date.UTC(2026, 10, 22, 9),
  media: { name: 'suhbat 1.mp3', url: 'file:///a/suhbat%201.mp3' },
  nameSpeaker: (_: string, at: number) => `Soʻzlovchi ${String(at)}`,
};
function textOf(id: ExportFormat, transcript: Transcript, options: GivenOptions = {}): string {
  const written = writeDocument(exporters[id], transcript, options, facts);
  return written.kind === 'text' ? written.text : written.kind === 'page' ? written.html : '';
}
const count = process.env['OVOZ_LONG'] === undefined ? 8 : 200;
const many = fc
  .sample(anyTranscript, { seed: 20_261_122, numRuns: count * 3 })
  .filter(({ segments }) => segments.some(({ words }) => words.some(({ text }) => cleanLine(text) !== '')))
  .slice(0, count);

describe.skipIf(!has.ffprobe)('ffmpeg', () => {
  type Packet = readonly [startMs: number, lengthMs: number, said: string];
  /** What ffmpeg outputs for each cue: its times, and its bytes, which are printed as a dump. */
  const packetsOf = (name: string, text: string): readonly Packet[] => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const args = ['-v', 'error', '-show_packets', '-show_data', '-of', 'json', path];
    const probe = spawnSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(probe.stderr).toBe('');
    const { packets } = JSON.parse(probe.stdout) as {
      packets: { pts_time: string; duration_time: string; data: string }[];
    };
    return packets.map(({ pts_time, duration_time, data }) => {
      const hex = [...data.matchAll(/^[0-9a-f]{8}: ((?:[0-9a-f]{2,4} )+)/gmu)].map(([, bytes = '']) => bytes).join('');
      const said = Buffer.from(hex.replaceAll(' ', ''), 'hex').toString();
      return [Math.round(Number(pts_time) * 1000), Math.round(Number(duration_time) * 1000), said];
    });
  };
  const unescaped = (said: string) =>
    said
      .replace(/^<v [^>]*>/u, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  /** The text of an event follows eight fields; braces and backslashes would be commands. */
  const ofEvent = (said: string) => said.split(',').slice(8).join(',');
  const inAss = (line: string) => line.replaceAll('{', '(').replaceAll('}', ')').replaceAll('\\', '\u29f5');

  it(
    `reads the same words at the same times in the SRT, VTT and ASS of ${String(many.length)} transcripts`,
    () => {
      for (const transcript of many) {
        const isCyrillic = transcript.language === 'ru' || scriptOf(transcript) === 'cyrillic';
        const cues = makeCues(transcript, standardProfile(transcript.language, isCyrillic));
        const expected = (write: (line: string) => string) =>
          cues.map(({ startMs, endMs, lines }) => [startMs, endMs - startMs, lines.map(write).join('\n')]);
        expect(packetsOf('a.srt', textOf('srt', transcript, { speakers: 'none' }))).toEqual(expected(plainForSrt));
        const voiced = packetsOf('a.vtt', textOf('vtt', transcript));
        expect(voiced.map(([startMs, lengthMs, said]) => [startMs, lengthMs, unescaped(said)])).toEqual(
          expected((line) => line),
        );
        // Hundredths of a second, and each cue lasts at least one of them.
        const rough = packetsOf('a.ass', textOf('ass', transcript, { speakers: 'none' }));
        expect(rough.map(([, , said]) => ofEvent(said))).toEqual(cues.map(({ lines }) => lines.map(inAss).join('\\N')));
        for (const [at, [startMs, lengthMs]] of rough.entries()) {
          if (at > 0) expect(startMs).toBeGreaterThanOrEqual((rough[at - 1]?.[0] ?? 0) + (rough[at - 1]?.[1] ?? 0));
          expect(lengthMs).toBeGreaterThan(0);
        }
      }
    },
    Math.max(240_000, count * 4_500),
  );
});

/** What an independent XML parser finds: the text of each element with this name, and its attributes. */
function readXml(
  name: string,
  xml: string,
  element: string,
): { readonly text: string; readonly of: Record<string, string> }[] {
  const path = join(folder, name);
  writeFileSync(path, xml);
  const script = `import sys,json,xml.etree.ElementTree as E
r=E.parse(sys.argv[1]).getroot()
print(json.dumps([{'text':' '.join(e.itertext()),'of':e.attrib} for e in r.iter() if e.tag.split('}')[-1]==sys.argv[2]]))`;
  const read = spawnSync('python3', ['-c', script, path, element], { encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(read.stderr).toBe('');
  return JSON.parse(read.stdout) as { text: string; of: Record<string, string> }[];
}

describe.skipIf(!has.python)('an XML parser', () => {
  it('finds in TTML the words and times of each cue, and in FCPXML the clips', () => {
    for (const transcript of many.slice(0, 12)) {
      const isCyrillic = transcript.language === 'ru' || scriptOf(transcript) === 'cyrillic';
      const cues = makeCues(transcript, standardProfile(transcript.language, isCyrillic));
      const read = readXml('a.ttml', textOf('ttml', transcript, { speakers: 'none' }), 'p');
      // oxlint-disable-next-line no-control-regex
      const plain = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');
      const ms = (time = '') =>
        time
          .split(/[:.]/u)
          .map(Number)
          .reduce((sum, part, at) => sum * (at === 3 ? 1000 : 60) + part, 0);
      expect(read.map(({ text, of }) => [ms(of['begin']), ms(of['end']), text])).toEqual(
        cues.map(({ startMs, endMs, lines }) => [startMs, endMs, plain(lines.join(' '))]),
      );
    }
  }, 60_000);

  it('finds in FCPXML the kept parts with the right in and out points, one after another, at a fractional frame rate', () => {
    for (const transcript of many.slice(0, 12)) {
      const struck: Transcript = {
        ...transcript,
        segments: transcript.segments.map((segment) => ({
          ...segment,
          words: segment.words.map((word, at) => (at % 3 === 1 ? { ...word, mark: 'cut' as const } : word)),
        })),
      };
      const second = 30_000 / 1001;
      const frames = (ms: number) => Math.round((ms * second) / 1000);
      const rational = (time = '') => {
        const [, above = '0', below = '1'] = /^(\d+)(?:\/(\d+))?s$/u.exec(time) ?? [];
        return Math.round((Number(above) / Number(below)) * second);
      };
      const kept = keptSpans(struck.durationMs, cutSpans(struck))
        .map(({ startMs, endMs }) => [frames(startMs), frames(endMs) - frames(startMs)] as const)
        .filter(([, length]) => length > 0);
      const read = readXml('a.fcpxml', textOf('fcpxml', struck, { frameRate: '29.97' }), 'asset-clip');
      expect(read.map(({ of }) => [rational(of['start']), rational(of['duration'])])).toEqual(kept);
      let at = 0;
      for (const { of } of read) {
        expect(rational(of['offset'])).toBe(at);
        at += rational(of['duration']);
      }
    }
  }, 60_000);
});

describe.skipIf(!has.otio)('OpenTimelineIO', () => {
  it('reads the kept parts of OTIO and EDL with the right in and out points, and the words in them', () => {
    const words = [0, 1, 2, 3, 4].map((at) => ({
      text: 'soʻz',
      startMs: at * 2000,
      endMs: at * 2000 + 1000,
      ...(at === 2 ? { mark: 'cut' as const } : {}),
    }));
    const text = words.map((word) => word.text).join(' ');
    const transcript: Transcript = {
      language: 'uz',
      durationMs: 10_000,
      speakers: [],
      segments: [{ id: 's1', speakerId: null, startMs: 0, endMs: 9000, text, words }],
    };
    for (const format of ['otio', 'edl'] as const) {
      const path = join(folder, `kept.${format}`);
      writeFileSync(path, textOf(format, transcript, { frameRate: '25' }));
      // An EDL doesn't contain its frame rate; older versions have another name for the clips.
      const script = `import sys,json,opentimelineio as o
t=o.adapters.read_from_file(sys.argv[1],**({'rate':25} if sys.argv[1].endswith('.edl') else {}))
t=t if isinstance(t,o.schema.Timeline) else t[0]
clips=list((getattr(t,'find_clips',None) or t.each_clip)())
r=lambda c:c.source_range
print(json.dumps([[r(c).start_time.value,r(c).duration.value,r(c).duration.rate,[m.name for m in c.markers]] for c in clips]))`;
      const read = spawnSync('python3', ['-c', script, path], { encoding: 'utf8' });
      expect(read.stderr).toBe('');
      const clips = JSON.parse(read.stdout) as [number, number, number, string[]][];
      expect(clips.slice(0, 2)).toEqual([
        [0, 100, 25, ['soʻz soʻz soʻz soʻz']],
        [125, 125, 25, []],
      ]);
    }
  }, 60_000);
});

const letters = 'oʻ gʻ Oʻ Gʻ ʼ Ў Қ Ғ Ҳ ў қ ғ ҳ ё Ё «—» …';
const paper: Transcript = {
  language: 'uz',
  durationMs: 600_000,
  speakers: [
    { id: 'p1', name: 'Dilnoza <Karimova> & Co' },
    { id: 'p2', name: null },
  ],
  segments: Array.from({ length: 40 }, (_, at) => ({
    id: `s${String(at)}`,
    speakerId: `p${String((at % 2) + 1)}`,
    startMs: at * 15_000,
    endMs: at * 15_000 + 9000,
    text: `${letters} <b>soʻz</b> ${String(at)}.`,
    words: [],
  })),
};
const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

describe.skipIf(!has.pandoc)('pandoc', () => {
  it('opens the Word document and reads its words, its headings and the styles of speakers', async () => {
    const written = writeDocument(exporters.docx, paper, { sections: '5', timestamps: 'paragraph' }, facts);
    if (written.kind !== 'outline') throw new Error('a Word document is made of an outline');
    const path = join(folder, 'a.docx');
    writeFileSync(path, await writeDocx(written.outline));
    const read = (to: string) =>
      spawnSync('pandoc', ['-f', 'docx+styles', '-t', to, '--wrap=none', path], { encoding: 'utf8' });
    const text = squeezed(read('plain').stdout);
    expect(read('plain').stderr).toBe('');
    for (const block of written.outline.blocks) expect(text).toContain(squeezed(block.text));
    expect(text).toContain('Dilnoza <Karimova> & Co:');
    const json = read('json').stdout;
    expect(json).toContain('"Header"');
    expect(json).toMatch(/custom-style","Speaker 1"/u);
  }, 60_000);

  it('reads the same title, names and paragraphs from what is copied with formatting as from the plain text beside it', () => {
    const written = writeDocument(exporters.docx, paper, { sections: '5', timestamps: 'paragraph' }, facts);
    if (written.kind !== 'outline') throw new Error('a Word document is made of an outline');
    const read = (to: string) =>
      spawnSync('pandoc', ['-f', 'html', '-t', to, '--wrap=none'], {
        encoding: 'utf8',
        input: toFragment(written.outline),
      }).stdout;
    const plain = toPlainText(written.outline);
    // Dates are in the alphabet that most of the text has.
    expect(plain.startsWith(`${facts.title}\n\n2026-йил 22-ноябрь`)).toBe(true);
    const withoutBrackets = plain.replaceAll(/^\[([\d:]+)\]/gmu, '$1');
    expect(squeezed(read('plain'))).toBe(squeezed(withoutBrackets));
    expect(read('json')).toContain('"Strong"');
  }, 60_000);
});

describe.skipIf(!has.office)('LibreOffice', () => {
  it('opens the Word document and finds every paragraph of it', async () => {
    const written = writeDocument(exporters.docx, paper, { sections: '5', timestamps: 'paragraph' }, facts);
    if (written.kind !== 'outline') throw new Error('a Word document is made of an outline');
    const path = join(folder, 'b.docx');
    writeFileSync(path, await writeDocx(written.outline));
    // A profile of its own, because a profile in use would block it.
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'office')).href}`;
    const args = [profile, '--headless', '--convert-to', 'txt:Text (encoded):UTF8', '--outdir', folder, path];
    const read = spawnSync('soffice', args, { encoding: 'utf8' });
    expect(read.status, read.stderr).toBe(0);
    const text = squeezed(readFileSync(join(folder, 'b.txt'), 'utf8'));
    for (const block of written.outline.blocks) expect(text).toContain(squeezed(block.text));
    expect(text).toContain('Dilnoza <Karimova> & Co:');
  }, 120_000);
});

describe.skipIf(!has.pdftotext || findSystemBrowser() === null)('pdftotext', () => {
  it('reads every letter of both Uzbek alphabets in the PDF', async () => {
    const printed = await printByBrowser(textOf('pdf', paper));
    if (!printed.ok) throw new Error(printed.error.code);
    const path = join(folder, 'a.pdf');
    writeFileSync(path, printed.value);
    const read = spawnSync('pdftotext', ['-enc', 'UTF-8', path, '-'], { encoding: 'utf8' });
    const text = squeezed(read.stdout);
    for (const { text: said } of paper.segments) expect(text).toContain(said);
    const fonts = spawnSync('pdffonts', [path], { encoding: 'utf8' })
      .stdout.split('\n')
      .slice(2)
      .filter((line) => line !== '');
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/ yes yes yes /u);
  }, 120_000);
});
