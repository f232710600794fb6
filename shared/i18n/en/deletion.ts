/** Deleting a transcript for good: what goes, what stays and for how long it can be undone. */
export const deletion = {
  group: 'Deleting for good',
  title: 'One transcript and what belongs to it',
  hint: 'Its words, its row, the stored answers, waveform and the sound taken out of a video, in copies of the library too. The recording itself stays where you keep it.',
  open: 'Choose a transcript…',
  dialog: 'Delete a transcript for good',
  delete: 'Delete…',
  deleteOne: 'Delete: {{title}}',
  question: 'Delete “{{title}}” for good?',
  text: 'It is gone at once, and in copies of the library too as soon as it can’t be undone any more. The recording file is not touched.',
  atService: 'Delete at the service too',
  atServiceHint:
    'The service deletes the transcript and its audio. How soon it clears its own copies and records of use, only the service knows.',
  kept: 'The service keeps its own transcript and audio until you delete them there.',
  practice: 'It is deleted in practice mode too. Nothing of it was ever sent.',
  confirm: 'Delete for good',
  done: '“{{title}}” is deleted.',
  undo: 'Undo',
  undone: '“{{title}}” is back.',
  late: 'It was too late to undo.',
  back: 'Back',
};
