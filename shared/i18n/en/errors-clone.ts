/** Cloning a voice. */
export const cloneErrors = {
  'E-085': {
    title: 'Needs a paid plan',
    text: 'Saving a cloned voice needs a paid plan. Your recording and its text are kept.',
  },
  'E-086': {
    title: 'Request not accepted',
    text: 'The service did not accept this step. Your recording is kept. Copy the details if you need help with it.',
  },
  'E-087': {
    title: 'Recording too long or too large',
    text: 'The recording is too long or too large: at most 10 MiB, a reference 10 to 30 seconds. Cut it or record again.',
  },
  'E-088': { title: 'That voice no longer exists', text: 'That cloned voice no longer exists at the service.' },
  'E-089': {
    title: 'You’re further on than this step',
    text: 'The service is at another step of this voice. We moved you there; nothing was lost.',
  },
  'E-090': {
    title: 'No room for another voice',
    text: 'You have five cloned voices already, the most allowed. Delete one to make room.',
  },
  'E-091': {
    title: 'Please correct the marked fields',
    text: 'The service did not accept some of what was entered. Your recording is kept. Correct the marked fields.',
  },
  'E-092': {
    title: 'One clear speaker not heard',
    text: 'The service couldn’t hear one clear speaker in that recording. Record again in a quiet place, alone, near the microphone.',
  },
  'E-093': {
    title: 'Reading text has expired',
    text: 'The reading text expired after ten minutes. Get a new text and read that one.',
  },
  'E-094': {
    title: 'Reading did not match',
    text: 'The reading did not match. This try is used up; there are five in all. Get a new text and read it as in your recording.',
  },
  'E-095': {
    title: 'Checking whether that try counted',
    text: 'The answer was lost, so we’re checking whether that try counted. The recording is not sent again by itself.',
  },
  'E-096': {
    title: 'Too many tries for now',
    text: 'The service limits how often this can be done. Next try in {{wait}}.',
    textPlain: 'The service limits how often this can be done. Try again later.',
  },
  'E-097': {
    title: 'Voice is off, cleaning up',
    text: 'The voice is off already; the service is still deleting its recordings. We repeat the deletion until it is done.',
  },
};
