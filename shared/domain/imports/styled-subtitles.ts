import { unescapeXml } from '../exports/format-text.ts';
import type { FoundCue, FoundCues } from './read-subtitles.ts';

export interface Run {
  readonly text: string;
  readonly isItalic: boolean;
}

/** The words in italics, by their indexes in the text of all runs. */
export function italicsOf(runs: readonly Run[]): ReadonlySet<number> {
  const found = new Set<number>();
  if (!runs.some(({ isItalic }) => isItalic)) return found;
  let at = -1;
  let isInWord = false;
  for (const { text, isItalic } of runs)
    for (const letter of text) {
      const isSpace = /\s/u.test(letter);
      if (!isSpace && !isInWord) at += 1;
      isInWord = !isSpace;
      if (isItalic && isInWord) found.add(at);
    }
  return found;
}

const wordsOfRuns = (runs: readonly Run[]): Pick<FoundCue, 'lines' | 'italics'> => ({
  lines: runs
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
  italics: italicsOf(runs),
});

export const isAss = (text: string): boolean => /^\s*\[(?:script info|v4\+? styles|events)\]/iu.test(text);

/** The usual fields, for a file that does not say which it has. */
const usualFields = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',');
const assTime = /^(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)$/u;
/** What is no caption in the section of the captions. */
const otherLine = /^\s*(?:$|[;!]|(?:format|comment|picture|sound|movie|command)\s*:)/iu;

/** The captions of ASS and SSA. Comments, drawings and other sections are no captions. */
export function findAssCues(text: string): FoundCues {
  const cues: FoundCue[] = [];
  const leftOut: number[] = [];
  const italicStyles = new Set<string>();
  let isEvents = false;
  let fields: readonly string[] = usualFields;
  for (const [at, line] of text.split(/\r\n|\r|\n/u).entries()) {
    if (/^\s*\[[^[\]]*\]\s*$/u.test(line)) {
      isEvents = /\[events\]/iu.test(line);
      fields = usualFields;
      continue;
    }
    const colon = line.indexOf(':');
    const kind = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const parts = line.slice(colon + 1).split(',');
    // Only the last field has commas in it.
    const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join(',')];
    const valueOf = (...names: readonly string[]) =>
      values[fields.findIndex((field) => names.includes(field))]?.trim() ?? '';
    if (kind === 'format') fields = parts.map((name) => name.trim().toLowerCase());
    else if (kind === 'style' && Number(valueOf('italic')) !== 0) italicStyles.add(valueOf('name'));
    if (!isEvents || otherLine.test(line)) continue;
    const startMs = readAssTime(valueOf('start'));
    const endMs = readAssTime(valueOf('end'));
    if (kind !== 'dialogue' || startMs === null || endMs === null || parts.length < fields.length) {
      leftOut.push(at + 1);
      continue;
    }
    const style = valueOf('style');
    const said = readAssText(valueOf('text'), italicStyles.has(style));
    const speaker = valueOf('name', 'actor') || null;
    cues.push({ startMs, endMs, speaker, style, ...said, line: at + 1, number: cues.length + 1, position: '' });
  }
  return { cues, leftOut };
}

function readAssTime(text: string): number | null {
  const [found, hours, minutes, seconds] = assTime.exec(text) ?? [];
  return found === undefined
    ? null
    : Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
}

function readAssText(text: string, isStyleItalic: boolean): Pick<FoundCue, 'lines' | 'italics' | 'hasMarks'> {
  const runs: Run[] = [];
  let isItalic = isStyleItalic;
  let isDrawing = false;
  let hasMarks = false;
  for (const part of text.split(/(\{[^{}]*\})/u)) {
    if (!/^\{[^{}]*\}$/u.test(part)) {
      const said = part.replaceAll(String.raw`\N`, '\n').replaceAll(String.raw`\n`, ' ');
      if (!isDrawing) runs.push({ text: said.replaceAll(String.raw`\h`, '\u00a0'), isItalic });
      continue;
    }
    for (const [, tag = ''] of part.matchAll(/\\([^\\{}]+)/gu)) {
      if (/^i\d?$/u.test(tag)) isItalic = tag === 'i' ? isStyleItalic : tag !== 'i0';
      else if (/^p\d+$/u.test(tag)) isDrawing = tag !== 'p0';
      else if (tag.startsWith('r')) isItalic = isStyleItalic;
      if (!/^i\d?$/u.test(tag)) hasMarks = true;
    }
  }
  return { ...wordsOfRuns(runs), hasMarks };
}

export const isTtml = (text: string): boolean => /^\s*<(?:[?!]|(?:[\w-]+:)?tt[\s>])/u.test(text) && ttTag.test(text);
const ttTag = /<(?:[\w-]+:)?tt(?:\s[^<>]*)?>/u;

const attribute = /(?<![\w:-])([\w-]+:)?([\w-]+)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/gu;
const clock = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)(?::(\d{1,3})(?:\.\d+)?)?$/u;
const offset = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)?$/u;

interface Element {
  readonly name: string;
  readonly startMs: number;
  /** Undefined where neither it nor what it is in says when it ends. */
  readonly endMs: number | undefined;
  readonly isItalic: boolean;
}

/** The captions of TTML. Names count without their prefixes, which differ between programs. */
export function findTtmlCues(text: string): FoundCues {
  const cues: FoundCue[] = [];
  const leftOut: number[] = [];
  const italicStyles = new Set<string>();
  const agents = new Map<string, string>();
  const open: Element[] = [];
  let timeOf = timesIn(new Map());
  let agent = '';
  let line = 1;
  let place = 1;
  let cue: (Pick<FoundCue, 'position' | 'speaker' | 'style'> & { readonly runs: Run[]; hasMarks: boolean }) | null =
    null;
  const close = (name: string) => {
    const within = open.at(-1);
    if (within?.name !== name) return;
    open.pop();
    if (name !== 'p' || cue === null) return;
    const { runs, ...rest } = cue;
    const { startMs, endMs } = within;
    if (endMs === undefined || !Number.isFinite(startMs + endMs)) leftOut.push(place);
    else cues.push({ ...rest, ...wordsOfRuns(runs), startMs, endMs, line: place, number: cues.length + 1 });
    cue = null;
  };
  for (const part of withoutComments(text).split(/(<[^<>]*>)/u)) {
    const [, slash, name] = /^<(\/?)(?:[\w-]+:)?([\w-]+)/u.exec(part) ?? [];
    const within = open.at(-1);
    if (name === undefined) {
      const said = part.startsWith('<![CDATA[') ? part.slice(9, -3) : part.startsWith('<') ? '' : unescapeXml(part);
      if (within?.name === 'name' && !agents.has(agent)) agents.set(agent, said.trim());
      cue?.runs.push({ text: said.replaceAll(/[ \t\r\n]+/gu, ' '), isItalic: within?.isItalic === true });
    } else if (slash === '/') close(name);
    else {
      const values = new Map([...part.matchAll(attribute)].map(([, , key = '', one, two]) => [key, one ?? two ?? '']));
      const fontStyle = values.get('fontStyle');
      const isStyled = (values.get('style') ?? '').split(' ').some((id) => italicStyles.has(id));
      const isItalic = fontStyle === undefined ? isStyled || within?.isItalic === true : fontStyle !== 'normal';
      if (name === 'tt') timeOf = timesIn(values);
      if (name === 'style' && isItalic) italicStyles.add(values.get('id') ?? '');
      if (name === 'agent') agent = values.get('id') ?? '';
      if (name === 'br') cue?.runs.push({ text: '\n', isItalic: false });
      if (name === 'p') {
        close('p');
        place = line;
        const speaker = agents.get(values.get('agent') ?? '') ?? null;
        const [position = '', style = ''] = ['region', 'style'].map((key) => values.get(key));
        cue = { runs: [], hasMarks: false, position, style, speaker };
      }
      if (cue !== null && /\stts:(?!fontStyle\b)/u.test(part)) cue.hasMarks = true;
      const [begin = 0, end, dur] = ['begin', 'end', 'dur'].map((key) => timeOf(values.get(key)));
      const fromMs = within?.startMs ?? 0;
      const startMs = fromMs + begin;
      const endMs = end === undefined ? (dur === undefined ? within?.endMs : startMs + dur) : fromMs + end;
      open.push({ name, startMs, endMs, isItalic });
      // Some write a line break without an end.
      if (part.endsWith('/>') || name === 'br') close(name);
    }
    line += part.split('\n').length - 1;
  }
  return { cues, leftOut };
}

/** Comments leave their line breaks, so that places stay what they are. */
const withoutComments = (text: string): string =>
  text
    .split('<!--')
    .map((part, at) => {
      const end = at === 0 ? 0 : part.indexOf('-->') + 3;
      return end === 2 ? '' : part.slice(0, end).replaceAll(/[^\n]/gu, '') + part.slice(end);
    })
    .join('');

/** How a file writes times; undefined for one that isn't there, and NaN for one that can't be read. */
function timesIn(values: ReadonlyMap<string, string>): (text: string | undefined) => number | undefined {
  const [times = 1, per = 1] = (values.get('frameRateMultiplier') ?? '1 1').split(/[\s:]+/u).map(Number);
  const frameRate = (Number(values.get('frameRate') ?? 30) * times) / per;
  const subFrames = Number(values.get('subFrameRate') ?? 1);
  const tickRate = Number(values.get('tickRate') ?? (values.has('frameRate') ? frameRate * subFrames : 1));
  const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, f: 1000 / frameRate, t: 1000 / tickRate };
  return (text) => {
    if (text === undefined) return undefined;
    const [isClock, hours = '0', minutes, seconds = '', frames = '0'] = clock.exec(text.trim()) ?? [];
    const [isOffset, count, unit = 's'] = offset.exec(text.trim()) ?? [];
    const ms =
      isClock === undefined
        ? Number(isOffset === undefined ? Number.NaN : count) * units[unit as keyof typeof units]
        : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds.replace(',', '.'))) * 1000 +
          Number(frames) * units.f;
    return Math.round(ms);
  };
}
