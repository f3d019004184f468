; Made from grammar/*.pest; do not edit it. `UPDATE_DOCS=1 cargo test -p houserule-editor-grammars` writes it anew.

(comment) @comment
(string) @string
(number) @number
(name) @variable
(call function: (name) @function.call)

[
  "action"
  "acts"
  "add"
  "advance"
  "after"
  "after each turn"
  "agents"
  "all"
  "all have"
  "all know"
  "along"
  "always"
  "amount"
  "any"
  "any of"
  "areas of"
  "as"
  "at"
  "at least"
  "at most"
  "at random"
  "before"
  "before each turn"
  "before first action"
  "begins with"
  "beside"
  "between"
  "beyond"
  "beyond the room of their place"
  "board"
  "bottom"
  "bottom card of"
  "bottom of"
  "by"
  "card"
  "card of"
  "card with"
  "cards"
  "cards at"
  "cards below"
  "change"
  "changeable"
  "check"
  "chooses"
  "clear"
  "column"
  "condition"
  "constant"
  "cost"
  "count"
  "counted in"
  "counter"
  "deck"
  "default"
  "define"
  "distance"
  "do"
  "does"
  "draw"
  "drawn"
  "each"
  "each other player"
  "each player"
  "effect"
  "else"
  "end game"
  "end phase"
  "end round"
  "end turn"
  "every"
  "exchange"
  "extend"
  "face down"
  "fewer"
  "fields of"
  "fill"
  "first"
  "first card of"
  "first round"
  "fits"
  "flag"
  "for"
  "for each player"
  "free"
  "from"
  "full"
  "gain"
  "game"
  "grid"
  "group of"
  "heard as"
  "hearing"
  "hexes"
  "hidden"
  "hidden from owner"
  "highest"
  "highest score"
  "honours"
  "if"
  "in any mix"
  "in its slot"
  "in reverse"
  "in reverse order"
  "into"
  "is dealt"
  "joined by"
  "kind"
  "lacking"
  "largest group of"
  "leaves"
  "leaving"
  "less"
  "let"
  "lift"
  "link"
  "longest line of"
  "longest trail"
  "lose"
  "lowest"
  "lowest score"
  "matched by"
  "may choose"
  "maybe"
  "median"
  "missing"
  "moment"
  "moments"
  "more"
  "move"
  "my"
  "needs"
  "next player"
  "next to"
  "not shown"
  "noted in"
  "noting losses in"
  "number"
  "numbers"
  "of"
  "of my team"
  "of other teams"
  "of parts of"
  "one of"
  "onto"
  "open ends of"
  "option"
  "or over one"
  "order"
  "other"
  "out"
  "over"
  "packed left"
  "pass on"
  "pay"
  "payable"
  "payments"
  "phase"
  "picks"
  "place"
  "play again"
  "player"
  "players"
  "pool"
  "purse"
  "put"
  "random"
  "random card of"
  "random cards of"
  "rank"
  "ranked as"
  "reaching"
  "refilled from"
  "remainder of"
  "remove"
  "repeat"
  "replace"
  "resource"
  "rival"
  "roll"
  "room"
  "round is last of"
  "rounds"
  "row"
  "row of"
  "rows"
  "score"
  "secretly"
  "series"
  "set"
  "setup"
  "short of"
  "show"
  "showing"
  "shown"
  "shuffle"
  "skipping who cannot act"
  "slot"
  "sorts in"
  "space"
  "space of"
  "spend"
  "stat"
  "states"
  "step"
  "step of"
  "steps of"
  "style"
  "sum"
  "swap"
  "symbols"
  "table"
  "take"
  "tally"
  "teams of"
  "that say they leave"
  "then"
  "there"
  "ties at the edge"
  "to"
  "together if"
  "tokens"
  "top"
  "top card of"
  "track"
  "turned"
  "turned by"
  "turns in order"
  "under"
  "unless"
  "until"
  "up to"
  "variant"
  "when"
  "where"
  "whether"
  "wins"
  "with"
  "with diagonals"
  "within"
  "without edge"
  "words"
  "worth"
  "zone"
] @keyword

["yes" "no" "nothing"] @boolean
["and" "or" "not" "is" "in"] @keyword.operator

["+" "-" "*" "/" "==" "!=" "<=" ">=" "<" ">" "=" "+=" "-=" "|"] @operator
["," ":" ";"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

; What is declared.
(action name: (name) @type)
  (board name: (name) @type)
  (check name: (name) @type)
  (constant name: (name) @type)
  (counter name: (name) @type)
  (deck_of name: (name) @type)
  (drawn name: (name) @type)
  (fields_of name: (name) @type)
  (flag name: (name) @type)
  (game name: (name) @type)
  (grid name: (name) @type)
  (hearing name: (name) @type)
  (kind name: (name) @type)
  (link name: (name) @type)
  (option name: (name) @type)
  (phase name: (name) @type)
  (place name: (name) @type)
  (pool name: (name) @type)
  (purse name: (name) @type)
  (rank name: (name) @type)
  (resource_of name: (name) @type)
  (rival name: (name) @type)
  (series name: (name) @type)
  (set name: (name) @type)
  (space name: (name) @type)
  (step name: (name) @type)
  (style name: (name) @type)
  (symbols name: (name) @type)
  (tally name: (name) @type)
  (tokens_of name: (name) @type)
  (track name: (name) @type)
  (variant name: (name) @type)
  (word_list name: (name) @type)
  (zone name: (name) @type)
(changeable name: (name) @function)
  (condition name: (name) @function)
  (define name: (name) @function)
  (effect name: (name) @function)
  (stat name: (name) @function)
(changeable name: (call function: (name) @function))
  (condition name: (call function: (name) @function))
  (define name: (call function: (name) @function))
  (effect name: (call function: (name) @function))
  (stat name: (call function: (name) @function))

; Players whom the language knows.
((name) @variable.builtin
  (#any-of? @variable.builtin "me" "left" "right" "first" "partner" "nobody"))
