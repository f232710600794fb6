import { spawn } from 'node:child_process';
import type { MediaFormat } from '../../../../shared/domain/media/sniff.ts';
import { smallEnvironment } from '../practice-child.ts';

/** ffmpeg's names of the containers; an explicit name keeps it from reading a file as a playlist of other addresses. */
const readers: Readonly<Partial<Record<MediaFormat, string>>> = {
  mp4: 'mov',
  m4a: 'mov',
  quicktime: 'mov',
  webm: 'matroska',
  matroska: 'matroska',
  adts: 'aac',
  'mpeg-ts': 'mpegts',
  avi: 'avi',
  amr: 'amr',
  asf: 'asf',
};

const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-progress', 'pipe:1'];
const readOnly = (reader: string, from: string) => [
  '-protocol_whitelist',
  'file,pipe',
  '-f',
  reader,
  '-i',
  `file:${from}`,
];
const audioAlone = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1'];
// `first_pts`: silence up to where the audio begins. `bitexact`: no time of writing.
const asAac = [
  '-af',
  'aresample=async=1:first_pts=0',
  '-c:a',
  'aac',
  '-b:a',
  '160k',
  '-fflags',
  '+bitexact',
  '-flags:a',
  '+bitexact',
  '-f',
  'ipod',
];

export type Converted = 'converted' | 'no-converter' | 'no-sound' | 'failed' | 'cancelled';

interface Conversion {
  readonly format: MediaFormat;
  readonly from: string;
  readonly to: string;
  readonly durationMs: number | null;
  readonly signal: AbortSignal;
  readonly onShare: (share: number) => void;
}

/** ffmpeg touches nothing but the two files: no network, no terminal input, no time of writing in the result. */
export function convertAudio({ format, from, to, durationMs, signal, onShare }: Conversion): Promise<Converted> {
  const reader = readers[format];
  if (reader === undefined) return Promise.resolve('failed');
  if (signal.aborted) return Promise.resolve('cancelled');
  return new Promise((resolve) => {
    const child = spawn('ffmpeg', [...quiet, ...readOnly(reader, from), ...audioAlone, ...asAac, `file:${to}`], {
      env: smallEnvironment(),
      shell: false,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    let complaint = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      const microseconds = Number(/out_time_us=(\d+)/.exec(text)?.[1] ?? Number.NaN);
      if (durationMs !== null && Number.isFinite(microseconds)) onShare(Math.min(1, microseconds / 1000 / durationMs));
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      complaint = (complaint + text).slice(-4000);
    });
    child.once('error', (error) => {
      if (signal.aborted) resolve('cancelled');
      else resolve('code' in error && error.code === 'ENOENT' ? 'no-converter' : 'failed');
    });
    child.once('close', (code) => {
      if (signal.aborted) resolve('cancelled');
      else if (code === 0) resolve('converted');
      else resolve(/matches no streams|does not contain any stream/i.test(complaint) ? 'no-sound' : 'failed');
    });
  });
}
