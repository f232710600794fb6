/** Words of what main shows by itself: system dialogs and the key window. */
export const dialogs = {
  key: {
    title: 'Enter the API key',
    label: 'API key',
    hint: 'It is kept in the system keychain, or for this session only where there is none. The studio’s window never sees it.',
    save: 'Save',
    cancel: 'Cancel',
    show: 'Show',
    hide: 'Hide',
    problems: {
      empty: 'Enter the key.',
      spaces: 'A key has no spaces or line breaks inside.',
      length: 'A key has between 8 and 512 characters.',
      characters: 'A key has only Latin letters, digits and signs.',
    },
  },
  files: {
    addFiles: 'Add recordings',
    addFolder: 'Add a folder',
    recordings: 'Recordings',
    allFiles: 'All files',
    saveTranscript: 'Save the transcript',
    saveRawAnswer: 'Save the service’s answer',
    locateMedia: 'Find the recording',
  },
  quit: {
    still_one: '{{count}} recording is still on its way.',
    still_other: '{{count}} recordings are still on their way.',
    detail: 'Nothing is lost: they go on when you open Ovoz Studio again.',
    quit: 'Quit',
    keep: 'Keep running',
  },
  windowFailed: {
    message: 'The window keeps failing',
    detail: 'Your work is unharmed. Close Ovoz Studio and open it again.',
  },
  close: 'OK',
};
