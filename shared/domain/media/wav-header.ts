export const wavHeaderBytes = 44;

export function wavHeader(dataBytes: number, sampleRate: number, channelCount = 1): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(wavHeaderBytes));
  const text = (at: number, letters: string) => {
    for (let index = 0; index < letters.length; index += 1) view.setUint8(at + index, letters.charCodeAt(index));
  };
  text(0, 'RIFF');
  view.setUint32(4, Math.min(0xffff_ffff, dataBytes + wavHeaderBytes - 8), true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channelCount, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * channelCount * 2, true);
  view.setUint16(32, channelCount * 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, Math.min(0xffff_ffff, dataBytes), true);
  return new Uint8Array(view.buffer);
}
