import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'

/** One field of every kind that a form may have. */
export const EVERY_FIELD: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Plain text', minLength: 1, maxLength: 80 },
    email: { type: 'string', title: 'E-mail', format: 'email' },
    website: { type: 'string', title: 'Website', format: 'uri' },
    birthday: { type: 'string', title: 'Birthday', format: 'date' },
    meeting: { type: 'string', title: 'Meeting', format: 'date-time' },
    guests: { type: 'integer', title: 'Guests', minimum: 0, maximum: 20, default: 2 },
    budget: { type: 'number', title: 'Budget', minimum: 0 },
    newsletter: { type: 'boolean', title: 'Newsletter', default: false },
    colour: { type: 'string', title: 'Colour', enum: ['red', 'green', 'blue'] },
    size: {
      type: 'string',
      title: 'Size',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'm', title: 'Medium' },
        { const: 'l', title: 'Large' },
      ],
      default: 'm',
    },
    days: {
      type: 'array',
      title: 'Days',
      items: { type: 'string', enum: ['Monday', 'Wednesday', 'Friday'] },
      minItems: 1,
    },
    extras: {
      type: 'array',
      title: 'Extras',
      items: {
        anyOf: [
          { const: 'wifi', title: 'Wireless network' },
          { const: 'desk', title: 'A desk' },
        ],
      },
    },
  },
  required: ['name', 'guests', 'colour', 'days'],
}
