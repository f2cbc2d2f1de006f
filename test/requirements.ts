/** What the product promises, as data. A promise that no test cites by its id fails `requirements.test.ts`. */
export const REQUIREMENTS = {
  R1: 'A registered server is running with its tools in the answer, over stdio and over HTTP.',
  R2: 'A call gives text as text and json as json.',
  R3: 'A server process killed during a call fails it within a second and is back within two.',
  R4: 'A closed HTTP request cancels its call at the server.',
  R5: 'The first request of a chat holds no MCP tool; an activated group is there from the next round.',
  R6: 'Grants survive a restart of the agent.',
  R7: 'A stop ends model and call, and the chat goes on.',
  R8: 'A pushed event becomes a briefing and is settled with its verdict.',
  R9: 'Without events no model request is made.',
  R10: 'A killed gateway is followed by another within ten seconds, and leaves no process.',
  R11: 'Bad input is refused with a code, and nothing is stored.',
  R12: 'The secrets of a registration are in no answer and no log.',
  R13: "Another person's server does not exist for anybody else.",
  R14: 'A service is refused what its contracts do not give it, on the bus and in the database.',
  R15: 'The whole starts and stops with one command and leaves no process; faults are one sentence.',
  R16: 'Every page works by role and label and has no finding of axe, light and dark.',
} as const
