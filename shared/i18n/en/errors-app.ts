/** The app itself: defects, refused calls, the first screen, practice mode. */
export const appErrors = {
  'E-230': {
    title: 'The app made a mistake',
    text: 'Something went wrong inside the app. Nothing was deleted. Try again; if it goes on, copy the details for support.',
  },
  'E-231': {
    title: 'Request not allowed',
    text: 'The app refused a request of its own window. Nothing was changed. Close the app and open it again.',
  },
  'E-232': {
    title: 'Practice mode did not start',
    text: 'Practice mode could not start on this computer. Nothing was sent anywhere. Try again.',
  },
  'E-233': {
    title: 'Not an API key',
    text: 'This can’t be an API key. A key has 8 to 512 Latin letters, digits and signs, without spaces.',
  },
  'E-234': {
    title: 'Check the service address',
    text: 'The service address is missing or can’t be used. Enter one that begins with https://.',
  },
  'E-235': {
    title: 'No API key yet',
    text: 'The service needs an API key. Enter it to go on; nothing was sent.',
  },
  'E-236': {
    title: 'Nothing is open yet',
    text: 'First choose how to start: with the service or in practice mode.',
  },
  'E-237': {
    title: 'Looks like an API key',
    text: 'This looks like an API key, and keys don’t belong here. Nothing was kept. Enter keys in the settings, under Connection.',
  },
  'E-238': {
    title: 'That was not done',
    text: 'Nothing was sent, because this was not asked for by a press or a key of yours. Press the button once more.',
  },
  'E-239': {
    title: 'The library was not moved',
    text: 'The library stays where it is, and nothing was lost. Try again, or choose another folder.',
  },
  'E-240': {
    title: 'Refused on the way to the service',
    text: 'Each time {{name}} was sent, a web page answered instead of the service, while the service could be reached for other work. Most likely a proxy or a virus scanner refuses just this file. The file is kept, and sending it again is never charged twice. Ask whoever looks after your network, or try again from another one.',
    textPlain:
      'Each time the file was sent, a web page answered instead of the service, while the service could be reached for other work. Most likely a proxy or a virus scanner refuses just this file. The file is kept, and sending it again is never charged twice. Ask whoever looks after your network, or try again from another one.',
  },
};
