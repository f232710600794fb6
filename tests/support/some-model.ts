import type { LocalModelView } from '../../renderer/bridge/types.ts';

/** A model that can be got. */
export const someModel: LocalModelView = {
  id: 'small',
  name: 'GigaAM Multilingual',
  languages: ['uz', 'ru', 'en'],
  licence: 'MIT',
  source: 'models.example',
  bytes: 0,
  totalBytes: 225_000_000,
  bytesPerSecond: null,
  memoryBytes: 1e9,
  leastMemoryBytes: 4e9,
  wordErrors: [],
  hasPunctuation: false,
  measuredFactor: null,
  state: 'absent',
  failure: null,
};
