/** The list of all keys. */
export const shortcuts = {
  title: 'Keyboard shortcuts',
  find: 'Find a shortcut',
  change: 'Change shortcuts',
  none: 'No shortcut is called “{{query}}”.',
  groups: {
    playback: 'Playback',
    transcript: 'Transcript',
    files: 'Files and queue',
    everywhere: 'Everywhere',
    view: 'View',
  },
  note: 'Inside the transcript Tab plays or pauses; F6 leaves it. Everywhere else Tab moves the focus.',
};
