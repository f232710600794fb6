import type { Transcript } from '../transcript/transcript.ts';
import { mutedSpans } from '../transcript/edit-marks.ts';
import { isVideoName } from '../media/follow-picture.ts';
import { cleanLine, escapeXml } from './format-text.ts';
import {
  hasSeveralSpeakers,
  choice,
  time,
  text,
  wordOptions,
  type ExportFacts,
  type OptionsOf,
  type Exporter,
} from './exporter.ts';
import { keptSpans } from './prepare.ts';

/** Frame rates of video; with `drop`, numbers are skipped so that the timecode of 29.97 keeps pace with the clock. */
export const frameRates = [
  '23.976',
  '24',
  '25',
  '29.97',
  '29.97-drop',
  '30',
  '50',
  '59.94',
  '59.94-drop',
  '60',
] as const;
export type FrameRateId = (typeof frameRates)[number];

interface FrameRate {
  /** Frames in `per` seconds. */
  readonly frames: number;
  readonly per: number;
  /** Frame numbers per second. */
  readonly counted: number;
  readonly isDrop: boolean;
}

export function frameRateOf(id: FrameRateId): FrameRate {
  const isDrop = id.endsWith('-drop');
  const rate = Number.parseFloat(id);
  const counted = Math.ceil(rate);
  return rate === counted
    ? { frames: counted, per: 1, counted, isDrop }
    : { frames: counted * 1000, per: 1001, counted, isDrop };
}

export const toFrames = (ms: number, { frames, per }: FrameRate): number => Math.round((ms * frames) / (per * 1000));

/** `01:02:03:04`, with a semicolon before the frames for drop-frame timecode. */
export function timecode(frame: number, { counted, isDrop }: FrameRate): string {
  let number = frame;
  if (isDrop) {
    // Two numbers (four at 59.94) are skipped each minute, except every tenth.
    const dropped = counted / 15;
    const perTen = counted * 600 - dropped * 9;
    const perMinute = counted * 60 - dropped;
    const rest = frame % perTen;
    number +=
      dropped * 9 * Math.floor(frame / perTen) +
      (rest >= dropped ? dropped * Math.floor((rest - dropped) / perMinute) : 0);
  }
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.floor(number / counted);
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${isDrop ? ';' : ':'}${two(number % counted)}`;
}

const clipOptions = {
  clips: choice(['kept', 'turns']),
  frameRate: choice(frameRates, '25'),
  offsetMs: time(),
};

/** A part of the recording, in frames: starts at `source` in the recording and at `record` in the result. */
interface Clip {
  readonly source: number;
  readonly record: number;
  readonly length: number;
  readonly label: string;
  readonly markers: readonly { readonly at: number; readonly length: number; readonly text: string }[];
}

interface ClipList {
  readonly rate: FrameRate;
  readonly clips: readonly Clip[];
  readonly sourceLength: number;
  readonly recordLength: number;
  readonly offset: number;
  readonly mediaName: string;
  readonly mediaUrl: string;
  readonly hasVideo: boolean;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly label: string;
}

export function toClips(transcript: Transcript, facts: ExportFacts, options: OptionsOf<typeof clipOptions>): ClipList {
  const rate = frameRateOf(options.frameRate);
  const isNamed = hasSeveralSpeakers(transcript);
  const labelOf = (speakerId: string | null, text: string) =>
    cleanLine(`${isNamed && speakerId !== null ? `${facts.speakerName(speakerId)}: ` : ''}${text}`);
  const said = transcript.segments
    .filter(({ text }) => cleanLine(text) !== '')
    .map(({ speakerId, startMs, endMs, text }) => ({ startMs, endMs, label: labelOf(speakerId, text) }));
  const sourceLength = toFrames(transcript.durationMs, rate);
  const kept = keptSpans(transcript.durationMs, mutedSpans(transcript));
  const spans: readonly Span[] =
    options.clips === 'turns'
      ? said.flatMap(({ startMs, endMs, label }) =>
          kept
            .filter((span) => span.endMs > startMs && span.startMs < endMs)
            .map((span) => ({ startMs: Math.max(span.startMs, startMs), endMs: Math.min(span.endMs, endMs), label })),
        )
      : kept.map((span) => ({ ...span, label: cleanLine(facts.title) }));
  let record = 0;
  let last = 0;
  const clips: Clip[] = [];
  for (const { startMs, endMs, label } of spans) {
    // Overlapping turns must not play a moment twice.
    const source = Math.max(last, Math.min(sourceLength, toFrames(startMs, rate)));
    const length = Math.min(sourceLength, toFrames(endMs, rate)) - source;
    if (length <= 0) continue;
    const markers = said
      .map((item) => ({ at: toFrames(item.startMs, rate), end: toFrames(item.endMs, rate), text: item.label }))
      .filter(({ at }) => options.clips === 'kept' && at >= source && at < source + length)
      .map(({ at, end, text }) => ({ at, length: Math.max(1, Math.min(end, source + length) - at), text }));
    clips.push({ source, record, length, label, markers });
    record += length;
    last = source + length;
  }
  const mediaName = cleanLine(facts.media?.name ?? facts.title);
  return {
    rate,
    clips,
    sourceLength,
    recordLength: record,
    offset: toFrames(options.offsetMs, rate),
    mediaName,
    mediaUrl: facts.media?.url ?? encodeURIComponent(mediaName),
    hasVideo: isVideoName(mediaName),
  };
}

const edlOptions = { ...clipOptions, ...wordOptions };

export const edl: Exporter<'edl', typeof edlOptions> = {
  id: 'edl',
  extension: '.edl',
  mediaType: 'text/plain',
  group: 'editing',
  options: edlOptions,
  write(transcript, facts, chosen) {
    const { rate, clips, offset, mediaName, hasVideo } = toClips(transcript, facts, chosen);
    const channel = hasVideo ? 'AA/V' : 'AA';
    const events = clips.flatMap(({ source, record, length, label, markers }, at) => {
      const times = [source, source + length, offset + record, offset + record + length].map((frame) =>
        timecode(frame, rate),
      );
      return [
        `${String(at + 1).padStart(3, '0')}  AX       ${channel.padEnd(5)} C        ${times.join(' ')}`,
        `* FROM CLIP NAME: ${mediaName}`,
        ...(chosen.clips === 'turns' ? [`* COMMENT: ${label}`] : []),
        ...markers.map(
          ({ at: frame, text: said }) => `* LOC: ${timecode(offset + record + frame - source, rate)} GREEN   ${said}`,
        ),
        '',
      ];
    });
    return text(
      [
        `TITLE: ${cleanLine(facts.title).slice(0, 70)}`,
        `FCM: ${rate.isDrop ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
        '',
        ...events,
      ].join('\n'),
    );
  },
};

const fcpxmlOptions = { ...clipOptions, ...wordOptions };

function seconds(frames: number, { frames: rate, per }: FrameRate): string {
  if (frames === 0) return '0s';
  return (frames * per) % rate === 0 ? `${String((frames * per) / rate)}s` : `${String(frames * per)}/${String(rate)}s`;
}

export const fcpxml: Exporter<'fcpxml', typeof fcpxmlOptions> = {
  id: 'fcpxml',
  extension: '.fcpxml',
  mediaType: 'application/xml',
  group: 'editing',
  options: fcpxmlOptions,
  write(transcript, facts, chosen) {
    const { rate, clips, sourceLength, recordLength, offset, mediaName, mediaUrl, hasVideo } = toClips(
      transcript,
      facts,
      chosen,
    );
    const at = (frames: number) => seconds(frames, rate);
    const title = escapeXml(cleanLine(facts.title));
    const video = hasVideo ? ' hasVideo="1" format="r1" videoSources="1"' : '';
    const spine = clips.map(({ source, record, length, label, markers }) => {
      const inside = markers.map(
        (marker) =>
          `\n              <marker start="${at(marker.at)}" duration="${at(1)}" value="${escapeXml(marker.text)}"/>`,
      );
      const open = `            <asset-clip ref="r2" name="${escapeXml(label)}" offset="${at(offset + record)}" start="${at(source)}" duration="${at(length)}" audioRole="dialogue"`;
      return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}\n            </asset-clip>`;
    });
    return text(
      `${[
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE fcpxml>',
        '<fcpxml version="1.10">',
        '  <resources>',
        `    <format id="r1" frameDuration="${String(rate.per)}/${String(rate.frames)}s" width="1920" height="1080"/>`,
        // Its channels and rate are not known here; programs read them from the recording.
        `    <asset id="r2" name="${escapeXml(mediaName)}" start="0s" duration="${at(sourceLength)}"${video} hasAudio="1" audioSources="1">`,
        `      <media-rep kind="original-media" src="${escapeXml(mediaUrl)}"/>`,
        '    </asset>',
        '  </resources>',
        '  <library>',
        `    <event name="${title}">`,
        `      <project name="${title}">`,
        `        <sequence format="r1" duration="${at(recordLength)}" tcStart="${at(offset)}" tcFormat="${rate.isDrop ? 'DF' : 'NDF'}" audioLayout="stereo" audioRate="48k">`,
        '          <spine>',
        ...spine,
        '          </spine>',
        '        </sequence>',
        '      </project>',
        '    </event>',
        '  </library>',
        '</fcpxml>',
      ].join('\n')}\n`,
    );
  },
};

const otioOptions = { ...clipOptions, ...wordOptions };

export const otio: Exporter<'otio', typeof otioOptions> = {
  id: 'otio',
  extension: '.otio',
  mediaType: 'application/json',
  group: 'editing',
  options: otioOptions,
  write(transcript, facts, chosen) {
    const list = toClips(transcript, facts, chosen);
    const rate = list.rate.frames / list.rate.per;
    const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });
    const range = (start: number, length: number) => ({
      OTIO_SCHEMA: 'TimeRange.1',
      start_time: time(start),
      duration: time(length),
    });
    const media = {
      OTIO_SCHEMA: 'ExternalReference.1',
      metadata: {},
      name: list.mediaName,
      available_range: range(0, list.sourceLength),
      available_image_bounds: null,
      target_url: list.mediaUrl,
    };
    // Every version of OpenTimelineIO reads `Clip.1`; those before 0.15 refuse `Clip.2`.
    const clips = list.clips.map(({ source, length, label, markers }) => ({
      OTIO_SCHEMA: 'Clip.1',
      metadata: {},
      name: label,
      source_range: range(source, length),
      effects: [],
      markers: markers.map((marker) => ({
        OTIO_SCHEMA: 'Marker.2',
        metadata: {},
        name: marker.text,
        color: 'GREEN',
        marked_range: range(marker.at, marker.length),
        comment: '',
      })),
      enabled: true,
      media_reference: media,
    }));
    const track = (kind: 'Audio' | 'Video') => ({
      OTIO_SCHEMA: 'Track.1',
      metadata: {},
      name: kind,
      source_range: null,
      effects: [],
      markers: [],
      enabled: true,
      children: clips,
      kind,
    });
    const timeline = {
      OTIO_SCHEMA: 'Timeline.1',
      metadata: {},
      name: cleanLine(facts.title),
      global_start_time: list.offset === 0 ? null : time(list.offset),
      tracks: {
        OTIO_SCHEMA: 'Stack.1',
        metadata: {},
        name: 'tracks',
        source_range: null,
        effects: [],
        markers: [],
        enabled: true,
        children: [...(list.hasVideo ? [track('Video')] : []), track('Audio')],
      },
    };
    return text(`${JSON.stringify(timeline, null, 2).replaceAll('<', '\\u003c')}\n`);
  },
};
