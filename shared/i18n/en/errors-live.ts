/** Live dictation, live speech and the older generation. */
export const liveErrors = {
  'E-120': {
    title: 'Recording goes on',
    text: 'Live text can’t start right now. The recording goes on, and words will follow.',
  },
  'E-121': {
    title: 'Connecting again',
    text: 'The pass to live dictation had run out. A new one is asked for; your speech is being kept.',
  },
  'E-122': {
    title: 'Live dictation isn’t allowed',
    text: 'Live dictation isn’t allowed for this key. Your recording can be transcribed as a file.',
  },
  'E-123': {
    title: 'Live dictation is switched off',
    text: 'Live dictation is switched off at the service. Your recording can be sent as a file.',
  },
  'E-124': {
    title: 'Reconnecting',
    text: 'The connection to live dictation dropped. Your speech is being kept; we’re connecting again.',
  },
  'E-125': {
    title: 'Waiting for live dictation',
    text: 'Live dictation did not begin in time. Your speech is being kept; we’re connecting again.',
  },
  'E-126': {
    title: 'Another audio format is needed',
    text: 'The service speaks another audio format now. Update the app. Your recording can be sent as a file.',
  },
  'E-127': {
    title: 'Live dictation hit a problem',
    text: 'Live dictation hit a problem. The recording is kept and can be sent as a file.',
  },
  'E-128': { title: 'Starting the phrase again', text: 'The service had not begun the phrase. It is sent once more.' },
  'E-129': {
    title: 'Catching up',
    text: 'The service is still busy with the last phrase. What you say now is kept and follows.',
  },
  'E-130': {
    title: 'A part couldn’t be read',
    text: 'The service couldn’t read a part of the sound. That part is kept and can be sent as a file.',
  },
  'E-131': {
    title: 'Phrase is split',
    text: 'The phrase was too long for the service. It is split at a pause and sent again.',
  },
  'E-132': {
    title: 'No speech heard',
    text: 'No speech was heard in that phrase. If you did speak, check the microphone.',
  },
  'E-133': {
    title: 'Out of credits, still recording',
    text: 'Credits have run out. The recording goes on; you can turn it into text later.',
  },
  'E-134': {
    title: 'Service is busy, catching up',
    text: 'The service is busy. Your speech is kept and sent as soon as it can be.',
  },
  'E-135': {
    title: 'Sending the phrase again',
    text: 'The service ran out of time for that phrase. It is sent once more.',
  },
  'E-136': {
    title: 'Unknown trouble in dictation',
    text: 'The service reported something this version does not know. The recording is kept; it is tried again.',
  },
  'E-137': {
    title: 'Catching up',
    text: 'The words of a phrase did not come in time. It is sent again on a new connection; this part may be counted twice.',
  },
  'E-138': {
    title: 'Same phrase came twice',
    text: 'The words of one phrase came twice. The first are used; the others are kept in the details.',
  },
  'E-139': {
    title: 'Live text stopped',
    text: 'Live text stopped. Nothing you said is lost: the recording can be sent as a file.',
  },
  'E-140': { title: 'Dictation finished', text: 'Dictation has finished and all of its words have come.' },
  'E-141': {
    title: 'Reconnecting',
    text: 'The connection to live dictation dropped. Your speech is being kept; we’re connecting again.',
  },
  'E-142': {
    title: 'Live connection was refused',
    text: 'The service closed the live connection because of something we sent. It is tried once more; the recording is kept.',
  },
  'E-143': {
    title: 'Key or credits refused',
    text: 'The service closed the live connection because of the key or the credits. The recording is kept.',
  },
  'E-144': {
    title: 'Connection is being interfered with',
    text: 'This network is interfering with secure connections, so nothing was sent. The recording is kept.',
  },
  'E-145': {
    title: 'Closed after an error',
    text: 'The service reported an error and closed the connection. What was recorded is kept.',
  },
  'E-146': {
    title: 'Reconnecting',
    text: 'The connection to live dictation dropped. Your speech is being kept; we’re connecting again.',
  },
  'E-150': {
    title: 'Using the standard way to speak',
    text: 'Live speech is not understood here, so the standard way to make speech is used.',
  },
  'E-151': {
    title: 'Request not accepted',
    text: 'The older service did not accept this request. Nothing was charged. Copy the details if you need help with it.',
  },
  'E-152': {
    title: 'The service could not finish this',
    text: 'The service could not finish this. Trying again may be charged.',
  },
  'E-153': {
    title: 'Live speech was refused',
    text: 'The service ended live speech because of the key, the credits or a problem of its own. What came is kept.',
  },
};
