/** Before an HTTP answer, and answers that are not what they seem. */
export const networkErrors = {
  'E-001': {
    title: 'Waiting for the network',
    text: 'You are offline. Everything is saved and will go on by itself when you are back online.',
  },
  'E-002': {
    title: 'Service address not found',
    text: 'The service’s address can’t be found. Your files wait here. Check the address in Settings or try again.',
  },
  'E-003': {
    title: 'Service not reachable',
    text: 'The service is not reachable right now. Your files wait here and will be sent later.',
  },
  'E-004': {
    title: 'Service does not answer',
    text: 'The service did not answer in time. Your files wait here and will be sent later.',
  },
  'E-005': {
    title: 'Dates don’t match',
    text: 'A secure connection failed because dates don’t match, so nothing was sent. Check the date and time of this computer, then try again.',
  },
  'E-006': {
    title: 'Connection is not secure',
    text: 'This network is interfering with secure connections, so nothing was sent. Try another network, then try again.',
  },
  'E-007': {
    title: 'No secure connection',
    text: 'A secure connection could not be made, so nothing was sent. Your files wait here.',
  },
  'E-008': {
    title: 'Proxy needs a sign-in',
    text: 'Your network’s proxy needs a sign-in, so nothing was sent. Sign in to the proxy, then try again.',
  },
  'E-009': {
    title: 'A web page answered instead',
    text: 'A web page answered instead of the service. This network may want you to sign in first, or the service address is wrong. Your files wait here.',
  },
  'E-010': {
    title: 'File can’t be read',
    text: '{{name}} can’t be read any more. It was not changed by this app. Put it back or choose it again.',
    textPlain: 'The file can’t be read any more. It was not changed by this app. Put it back or choose it again.',
  },
  'E-011': {
    title: 'File changed after adding',
    text: '{{name}} changed after you added it, so it was not sent under the old request. Use the new version (a new charge) or remove it.',
    textPlain:
      'The file changed after you added it, so it was not sent under the old request. Use the new version (a new charge) or remove it.',
  },
  'E-012': {
    title: 'Connection dropped',
    text: 'The connection dropped. The file is sent again safely: you won’t be charged twice.',
  },
  'E-013': {
    title: 'Checking what was sent',
    text: 'The connection dropped. We’re checking whether that already went through before anything is sent again.',
  },
  'E-014': {
    title: 'Slow connection',
    text: 'The connection is slow or dropped before the answer came. Nothing is lost; trying again is free.',
  },
  'E-015': {
    title: 'Answer was cut short',
    text: 'The answer of the service was cut short on the way. It is asked for again safely: you won’t be charged twice.',
  },
  'E-016': {
    title: 'Address leads elsewhere',
    text: 'The service answered in an unexpected way, so we stopped before sending anything private. Check the service address in Settings.',
  },
  'E-017': {
    title: 'Answer too large',
    text: 'The answer was too large to be right, so it was not kept. Try again; if it happens again, copy the details for support.',
  },
  'E-018': {
    title: 'Service is having trouble',
    text: 'The service is having trouble. We’ll keep checking and go on by ourselves. Nothing is lost.',
  },
  'E-019': {
    title: 'Computer was asleep',
    text: 'The computer went to sleep in the middle of the work. It goes on by itself.',
  },
  'E-020': { title: 'Done', text: 'The transcript has arrived and is saved.' },
  'E-021': {
    title: 'At the service',
    text: 'The recording is being transcribed by the service. The text will come by itself.',
  },
  'E-022': {
    title: 'Taken without a receipt',
    text: 'The service took the file but gave no receipt. We’re looking for it; it is not sent again by itself.',
  },
  'E-023': {
    title: 'Still being made',
    text: 'The service is still working on this. It will be fetched when it is ready.',
  },
  'E-024': {
    title: 'Answer can’t be read',
    text: 'We got an answer we could not read. Your request may have worked; the answer is kept and we’re checking.',
  },
  'E-025': {
    title: 'Audio arrived damaged',
    text: 'The audio arrived damaged. It is fetched again at no extra charge.',
  },
  'E-026': { title: 'Done without data', text: 'The service did what was asked and sent nothing back.' },
  'E-027': {
    title: 'Unknown state at the service',
    text: 'The service calls the state of this “{{word}}”, which we don’t know. We keep waiting; nothing is sent again.',
    textPlain: 'The service reports a state that we don’t know. We keep waiting; nothing is sent again.',
  },
  'E-028': {
    title: 'Finished, text is missing',
    text: 'The service says it is finished, but the text isn’t there yet. Nothing is lost; check again in a while.',
  },
  'E-029': {
    title: 'Unexpected answer',
    text: 'We got an answer we did not expect. Your request may have worked; we’re checking.',
  },
};
