import { clipOptions, toClips } from './clips.ts';
import { cleanLine } from './format-text.ts';
import { text, wordOptions, type Exporter } from './exporter.ts';

const options = { ...clipOptions, ...wordOptions };

/** OpenTimelineIO: the interchange format of the film industry. */
export const otio: Exporter<'otio', typeof options> = {
  id: 'otio',
  extension: '.otio',
  mediaType: 'application/json',
  group: 'editing',
  options,
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
