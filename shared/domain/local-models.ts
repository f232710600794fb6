import type { SpeechLanguage } from './languages.ts';

export interface ModelFile {
  /** As published, which may be rounded: the checksum decides. */
  readonly bytes: number;
  readonly sha256: string;
  readonly addresses: readonly string[];
}

export interface LocalModel {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly SpeechLanguage[];
  readonly licence: 'MIT';
  readonly network: ModelFile;
  readonly vocabulary: ModelFile;
  /** What it takes while at work, and what the computer should have, in bytes. */
  readonly memoryBytes: number;
  readonly leastMemoryBytes: number;
  /** Word errors that its makers measured, in percent. */
  readonly wordErrors: Readonly<Partial<Record<SpeechLanguage, readonly [least: number, most: number]>>>;
  readonly hasPunctuation: boolean;
}

const gigabyte = 1024 ** 3;
const hosts = ['https://huggingface.co', 'https://hf-mirror.com'];
const fileOf = (path: string, bytes: number, sha256: string): ModelFile => ({
  bytes,
  sha256,
  addresses: hosts.map((host) => `${host}/${path}`),
});
const multilingualVocabulary = fileOf(
  'istupakov/gigaam-multilingual-ctc-onnx/resolve/458860e1983aef670dd9795fb6af603c82767d5d/multilingual_vocab.txt',
  393,
  '4d130287892e1099fedfb3f93c4b4cf8a263151158801680b28977d1be4133f4',
);

export const localModels: readonly LocalModel[] = [
  {
    id: 'gigaam-multilingual',
    name: 'GigaAM Multilingual',
    languages: ['uz', 'ru', 'en'],
    licence: 'MIT',
    network: fileOf(
      'istupakov/gigaam-multilingual-ctc-onnx/resolve/458860e1983aef670dd9795fb6af603c82767d5d/multilingual_ctc.int8.onnx',
      224_762_204,
      'e08e27ae5669b39f0c378fae101bbbb9a80505f74f9b66719c309bf5b894a480',
    ),
    vocabulary: multilingualVocabulary,
    memoryBytes: 1.2 * gigabyte,
    leastMemoryBytes: 4 * gigabyte,
    wordErrors: { uz: [10, 14], ru: [4, 8], en: [12, 26] },
    hasPunctuation: false,
  },
  {
    id: 'gigaam-multilingual-large',
    name: 'GigaAM Multilingual 600M',
    languages: ['uz', 'ru', 'en'],
    licence: 'MIT',
    network: fileOf(
      'istupakov/gigaam-multilingual-large-ctc-onnx/resolve/main/multilingual_large_ctc.int8.onnx',
      592_000_000,
      'b2ad9c38fc04197ba758105d33f7404fd13d977958722e0f49e3f3e22521f1c6',
    ),
    vocabulary: multilingualVocabulary,
    memoryBytes: 2.2 * gigabyte,
    leastMemoryBytes: 8 * gigabyte,
    wordErrors: { uz: [7, 13] },
    hasPunctuation: false,
  },
  {
    id: 'gigaam-v3-russian',
    name: 'GigaAM v3',
    languages: ['ru'],
    licence: 'MIT',
    network: fileOf(
      'istupakov/gigaam-v3-onnx/resolve/main/v3_e2e_ctc.int8.onnx',
      224_893_347,
      '2e3fcb7a7b66030336fd10c2fcfb033bd1dc7e1bf238fe5cfd83b1d0cfc9d28e',
    ),
    vocabulary: fileOf(
      'istupakov/gigaam-v3-onnx/resolve/main/v3_e2e_ctc_vocab.txt',
      2007,
      '142de7570b3de5b3035ce111a89c228e80e6085273731d944093ddf24fa539cd',
    ),
    memoryBytes: 1.2 * gigabyte,
    leastMemoryBytes: 4 * gigabyte,
    wordErrors: {},
    hasPunctuation: true,
  },
];

/** Whether a computer has the memory that a model needs; some of what it was sold with is taken before programs start. */
export const fitsComputer = ({ leastMemoryBytes }: LocalModel, totalBytes: number): boolean =>
  totalBytes >= 0.85 * leastMemoryBytes;

/** What a model of unknown origin takes while at work, by the bytes of its file: weights grow when they are loaded. */
export const memoryOfSize = (bytes: number): number => 0.35 * gigabyte + 4 * bytes;

/** One that fits into memory, then the one that punctuates, then the largest. */
export function modelForLanguage(
  present: ReadonlySet<string>,
  language: SpeechLanguage,
  totalBytes = Infinity,
): LocalModel | null {
  const fitting = localModels.filter(({ id, languages }) => present.has(id) && languages.includes(language));
  return (
    fitting.toSorted(
      (a, b) =>
        Number(fitsComputer(b, totalBytes)) - Number(fitsComputer(a, totalBytes)) ||
        Number(b.hasPunctuation) - Number(a.hasPunctuation) ||
        b.network.bytes - a.network.bytes,
    )[0] ?? null
  );
}

export const hostOf = ({ network }: LocalModel): string => URL.parse(network.addresses[0] ?? '')?.host ?? '';
