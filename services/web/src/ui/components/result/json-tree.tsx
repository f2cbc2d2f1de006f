import { allExpanded, JsonView } from 'react-json-view-lite'

const STYLE = {
  container: 'json-tree',
  basicChildStyle: 'json-child',
  label: 'json-label',
  clickableLabel: 'json-label json-clickable',
  nullValue: 'json-null',
  undefinedValue: 'json-null',
  numberValue: 'json-number',
  stringValue: 'json-string',
  booleanValue: 'json-number',
  otherValue: 'json-null',
  punctuation: 'json-punctuation',
  expandIcon: 'json-icon json-expand',
  collapseIcon: 'json-icon json-collapse',
  collapsedContent: 'json-collapsed',
  childFieldsContainer: 'json-children',
  quotesForFieldNames: true,
  ariaLables: { collapseJson: 'Fold', expandJson: 'Unfold' },
  stringifyStringValues: true,
}

/** Past this many lines only the outer levels are open at first. */
const MOST_OPEN_LINES = 400

export function JsonTree({ value, lines }: { value: object; lines: number }) {
  return (
    <JsonView
      data={value}
      style={STYLE}
      shouldExpandNode={lines > MOST_OPEN_LINES ? (level) => level < 2 : allExpanded}
      clickToExpandNode
      aria-label="Result"
    />
  )
}
