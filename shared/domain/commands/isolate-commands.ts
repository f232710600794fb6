const isolate = { place: 'isolate', group: 'playback' } as const;

/** What can be done with an opened comparison; a part of `commandList`. */
export const isolateCommands = {
  'isolate.toggle': { ...isolate, title: 'palette.commands.isolatePlay', key: 'Mod+Space' },
  'isolate.toggleOnLanes': {
    ...isolate,
    title: 'palette.commands.isolatePlayOnLanes',
    key: 'Space',
    isFixed: true,
  },
  'isolate.original': { ...isolate, title: 'palette.commands.isolateOriginal', key: 'Digit1' },
  'isolate.isolated': { ...isolate, title: 'palette.commands.isolateIsolated', key: 'Digit2' },
  'isolate.removed': { ...isolate, title: 'palette.commands.isolateRemoved', key: 'Digit3' },
  'isolate.blend': { ...isolate, title: 'palette.commands.isolateBlend', key: 'Digit4' },
  'isolate.variant': { ...isolate, title: 'palette.commands.isolateVariant', key: 'Digit5' },
  'isolate.switch': { ...isolate, title: 'palette.commands.isolateSwitch', key: 'KeyX' },
  'isolate.close': { ...isolate, title: 'palette.commands.isolateClose', key: 'Escape', isFixed: true },
  'isolate.loop': { ...isolate, title: 'palette.commands.isolateLoop', key: 'Mod+KeyL' },
  'isolate.match': { ...isolate, title: 'palette.commands.isolateMatch', key: null },
  'isolate.spectrogram': { ...isolate, group: 'view', title: 'palette.commands.isolateSpectrogram', key: null },
  'isolate.zoomIn': {
    ...isolate,
    group: 'view',
    title: 'palette.commands.waveformIn',
    key: 'Alt+Equal',
    alsoKeys: ['Alt+NumpadAdd'],
  },
  'isolate.zoomOut': {
    ...isolate,
    group: 'view',
    title: 'palette.commands.waveformOut',
    key: 'Alt+Minus',
    alsoKeys: ['Alt+NumpadSubtract'],
  },
  'isolate.fit': {
    ...isolate,
    group: 'view',
    title: 'palette.commands.waveformFit',
    key: 'Alt+Digit0',
    alsoKeys: ['Alt+Numpad0'],
  },
} as const;
