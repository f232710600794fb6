import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { writeDocx } from '../../electron/services/exports/write-docx.ts';
import { cleanLine } from '../../shared/domain/exports/format-text.ts';
import type { textFormats } from '../../shared/domain/exports/formats.ts';
import { playerScript } from '../../shared/domain/exports/html.ts';
import type { Outline } from '../../shared/domain/exports/outline.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';

/*
 * Readers that follow the definition of each format and share nothing with the writers: whatever was said, the number
 * of captions, paragraphs, rows, elements or clips must be right, and nothing else may be there that a program would
 * execute.
 */

interface Written {
  readonly text: string;
  readonly outline: Outline | null;
  readonly transcript: Transcript;
  /** Captions, for formats that have them. */
  readonly cueCount: number;
}
type Reader = (written: Written) => void | Promise<void>;

const isSaid = ({ text }: Pick<Segment, 'text'>): boolean => cleanLine(text) !== '';
const linesOf = (text: string): readonly string[] => text.replace(/\n$/u, '').split('\n');
// oxlint-disable-next-line no-control-regex
export const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\ud800-\udfff\ufffe\uffff]/u;

/** Blocks of a number, a time line and text: no spoken text may create another block or look like a time. */
function readCues(blocks: readonly string[], time: RegExp, { cueCount }: Written): readonly (readonly string[])[] {
  expect(blocks).toHaveLength(cueCount);
  return blocks.map((block, at) => {
    const [number, times = '', ...said] = linesOf(block);
    expect(number).toBe(String(at + 1));
    expect(times).toMatch(time);
    expect(said.length).toBeGreaterThan(0);
    for (const shown of said) expect(shown).not.toMatch(/-->|^$/u);
    return said;
  });
}
const srt: Reader = (written) => {
  const blocks = written.text === '' ? [] : written.text.replace(/\n$/u, '').split('\n\n');
  for (const said of readCues(blocks, /^\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}$/u, written))
    expect(said.join('\n')).not.toMatch(/<[a-z/!?]|\{\\/iu);
};
const vtt: Reader = (written) => {
  const [head, ...blocks] = written.text.replace(/\n$/u, '').split('\n\n');
  expect(head?.trim()).toBe('WEBVTT');
  for (const said of readCues(blocks, /^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}$/u, written)) {
    const bare = said
      .join('\n')
      .replace(/^<v [^<>\n]+>/u, '')
      .replaceAll(/<\d\d:\d\d:\d\d\.\d{3}>/gu, '');
    expect(bare).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/u);
  }
};

/** Names of XML elements; everything between them is text and known entities. */
function elementsOf(xml: string): readonly string[] {
  const tag = /<(\/?[a-z][\w:-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*\/?>/giu;
  expect(xml.replaceAll(tag, '')).not.toMatch(/[<>]/u);
  expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/u);
  return [...xml.matchAll(tag)].map(([, name = '']) => name).filter((name) => !name.startsWith('/'));
}
const countOf = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));

/** A page has the elements of its paragraphs, its own style and, if words can be played, its own script. */
const page: Reader = ({ text, transcript }) => {
  const isPlaying = text.includes('<audio ');
  const bare = text
    .replace('<!doctype html>\n', '')
    .replace(
      /<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<meta http-equiv="[^"<>]+" content="[^"<>]+">/u,
      '',
    )
    .replace(/<style>[^<>]*<\/style>/u, '')
    .replace(`<script>${playerScript}</script>`, '');
  expect(text.includes(playerScript)).toBe(isPlaying);
  const { span = 0, ...others } = countOf(elementsOf(bare));
  const paragraphs = transcript.segments.filter(isSaid).length;
  expect(others).toEqual({
    html: 1,
    head: 1,
    title: 1,
    body: 1,
    h1: 1,
    ...(isPlaying ? { audio: 1 } : {}),
    ...(paragraphs === 0 ? {} : { b: paragraphs, time: paragraphs }),
    p: paragraphs + 2,
  });
  expect(span > 0).toBe(isPlaying && paragraphs > 0);
};

const edl: Reader = ({ text }) => {
  const [title = '', mode = '', ...rest] = linesOf(text);
  expect(title).toMatch(/^TITLE: /u);
  expect(mode).toBe('FCM: NON-DROP FRAME');
  const events = rest.filter((shown) => shown !== '' && !/^\* (?:FROM CLIP NAME|COMMENT|LOC): /u.test(shown));
  for (const [at, event] of events.entries())
    expect(event).toMatch(
      new RegExp(
        `^${String(at + 1).padStart(3, '0')}  AX       \\S+ +C        (?:\\d\\d:\\d\\d:\\d\\d:\\d\\d ?){4}$`,
        'u',
      ),
    );
};

export const readers: Readonly<Record<(typeof textFormats)[number], Reader>> = {
  srt,
  vtt,
  'vtt-words': vtt,
  ass({ text, cueCount }) {
    const lines = linesOf(text);
    const events = lines.filter((shown) => shown.startsWith('Dialogue: '));
    expect(events).toHaveLength(cueCount);
    expect(lines.slice(lines.indexOf('[Events]') + 2)).toEqual(events);
    expect(lines.filter((shown) => /^(?:Title|ScriptType|Style|\[)/u.test(shown))).toHaveLength(6);
    for (const event of events) {
      const [, said = null] =
        /^Dialogue: 0,\d:\d\d:\d\d\.\d\d,\d:\d\d:\d\d\.\d\d,Default,[^,]*,0,0,0,,(.*)$/u.exec(event) ?? [];
      expect(said?.replaceAll('\\N', ' ')).toMatch(/^[^{}\\]+$/u);
    }
  },
  ttml({ text, cueCount }) {
    const {
      p = 0,
      'ttm:agent': agents,
      'ttm:name': names,
      br: _breaks,
      ...others
    } = countOf(elementsOf(text.replace('<?xml version="1.0" encoding="UTF-8"?>', '')));
    expect([p, agents, names]).toEqual([cueCount, 2, 2]);
    expect(others).toEqual({
      tt: 1,
      head: 1,
      metadata: 1,
      'ttm:title': 1,
      styling: 1,
      style: 1,
      layout: 1,
      region: 1,
      body: 1,
      div: 1,
    });
  },
  lrc({ text, cueCount }) {
    const [title, length, ...lines] = linesOf(text);
    expect(title).toMatch(/^\[ti:[^[\]]*\]$/u);
    expect(length).toMatch(/^\[length:\d\d:\d\d\]$/u);
    for (const shown of lines) expect(shown).toMatch(/^\[\d{2,}:\d\d\.\d\d\](?:<\d{2,}:\d\d\.\d\d>|[^[\]<>])*$/u);
    expect(lines.filter((shown) => !shown.endsWith(']'))).toHaveLength(cueCount);
  },
  async docx({ outline }) {
    if (outline === null) throw new Error('a Word document is made of an outline');
    const parts = unzipSync(await writeDocx(outline));
    for (const [name, bytes] of Object.entries(parts).filter(([path]) => /\.(?:xml|rels)$/u.test(path)))
      expect(
        () =>
          elementsOf(
            strFromU8(bytes)
              .replace(/^<\?xml[^>]*\?>\s*/u, '')
              .replaceAll(/&apos;|&#\d+;/gu, ''),
          ),
        name,
      ).not.toThrow();
    const body = strFromU8(parts['word/document.xml'] ?? new Uint8Array());
    const names = countOf(elementsOf(body.replace(/^<\?xml[^>]*\?>\s*/u, '').replaceAll(/&apos;|&#\d+;/gu, '')));
    expect(names['w:p'] ?? 0).toBe(outline.blocks.length);
    expect(Object.keys(names).filter((name) => /hyperlink|object|pict|fld|script/iu.test(name))).toEqual([]);
    const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    const said = [...body.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:t\/>/gu)].map(([, text = '']) =>
      text.replaceAll(/&(amp|lt|gt|quot|apos);/gu, (_whole, name: string) => entities[name] ?? ''),
    );
    // oxlint-disable-next-line no-control-regex
    const plain = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');
    const wanted = outline.blocks.map((block) =>
      block.kind === 'heading' ? block.text : `${block.time ?? ''} ${block.speaker?.name ?? ''}: ${block.text}`,
    );
    expect(said.join('')).toBe(plain(wanted.join('')));
  },
  pdf: page,
  html: page,
  txt({ text, transcript }) {
    const [head = '', ...paragraphs] = linesOf(text).filter((shown) => shown !== '');
    expect(head).not.toBe('');
    expect(paragraphs.filter((shown) => /^\[\d\d:\d\d:\d\d\] /u.test(shown)).length).toBeGreaterThanOrEqual(
      transcript.segments.filter(isSaid).length,
    );
  },
  // How Markdown is rendered is checked with pandoc, in `exports-other-readers`.
  md({ text, transcript }) {
    const said = linesOf(text).filter((shown) => /^`\d\d:\d\d:\d\d` \*\*/u.test(shown));
    expect(said).toHaveLength(transcript.segments.filter(isSaid).length);
    for (const shown of said)
      expect(shown.replace(/^`[\d:]+` \*\*((?:\\.|[^\\*])*):\*\* /u, '$1').replaceAll(/\\./gu, '')).not.toMatch(
        /[`*_[\]<>#|~&@]/u,
      );
  },
  json({ text, transcript }) {
    expect(text).not.toMatch(/[<\u2028\u2029]/u);
    const read = JSON.parse(text) as Transcript;
    expect(read.segments.map((segment) => segment.text)).toEqual(transcript.segments.map((segment) => segment.text));
  },
  csv({ text, transcript }) {
    const cells = /(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/gu;
    const read = [
      ...text
        .replace(/^\ufeff/u, '')
        .replace(/\r\n$/u, '')
        .matchAll(cells),
    ].map(([, quoted, bare]) => (quoted ?? bare ?? '').replaceAll('""', '"'));
    expect(read).toHaveLength(5 * (1 + transcript.segments.filter(isSaid).length));
    for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r]/u);
  },
  tsv({ text, transcript }) {
    const rows = linesOf(text.replace(/^\ufeff/u, '').replaceAll('\r\n', '\n')).map((row) => row.split('\t'));
    expect(rows).toHaveLength(1 + transcript.segments.filter(isSaid).length);
    for (const row of rows) {
      expect(row).toHaveLength(5);
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@]/u);
    }
  },
  edl,
  fcpxml({ text, transcript }) {
    const bare = text.replace('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE fcpxml>', '');
    const { 'asset-clip': clips = 0, ...others } = countOf(elementsOf(bare));
    expect(clips).toBe(transcript.segments.filter(isSaid).length);
    expect(others).toEqual({
      fcpxml: 1,
      resources: 1,
      format: 1,
      asset: 1,
      'media-rep': 1,
      library: 1,
      event: 1,
      project: 1,
      sequence: 1,
      spine: 1,
    });
  },
  otio({ text, transcript }) {
    const timeline = JSON.parse(text) as { tracks: { children: { children: { name: string }[] }[] } };
    const names = timeline.tracks.children[0]?.children.map(({ name }) => name) ?? [];
    expect(names).toHaveLength(transcript.segments.filter(isSaid).length);
    for (const name of names) expect(name).not.toMatch(control);
    expect(text).not.toContain('<');
  },
};
