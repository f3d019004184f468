// Ends of lines. A new line goes on with the one before if it begins with an operator, a closing bracket, or one of some words; else the
// line has ended, wherever the grammar lets a line end.

#include "tree_sitter/parser.h"

enum TokenType { LINE_END };

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_letter(int32_t c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127; }

// Whether what stands ahead goes on with the line before: `joint` in grammar/rules.pest.
static bool goes_on(TSLexer *lexer) {
  static const char *const words[] = {"and", "or", "then", "else", "where"};
  int32_t c = lexer->lookahead;
  switch (c) {
    case '+': case '-': case '*': case '/': case '=': case '<': case '>': case '!': case '|': case ',': case ':': case ')': case ']':
      return true;
    default:
      break;
  }
  char word[8] = {0};
  unsigned length = 0;
  while (is_letter(lexer->lookahead)) {
    if (length >= 6 || lexer->lookahead > 127) return false;
    word[length++] = (char)lexer->lookahead;
    lexer->advance(lexer, false);
  }
  if (lexer->lookahead == '.') return false;
  for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    const char *other = words[i];
    unsigned at = 0;
    while (at < length && other[at] == word[at]) at++;
    if (at == length && length > 0 && other[at] == 0) return true;
  }
  return false;
}

void *tree_sitter_houserule_external_scanner_create(void) { return 0; }
void tree_sitter_houserule_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_houserule_external_scanner_serialize(void *payload, char *buffer) { (void)payload; (void)buffer; return 0; }
void tree_sitter_houserule_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload; (void)buffer; (void)length;
}

bool tree_sitter_houserule_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (!valid_symbols[LINE_END]) return false;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r') lexer->advance(lexer, true);
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  lexer->result_symbol = LINE_END;
  for (;;) {
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    if (lexer->lookahead != '/') return !goes_on(lexer);
    lexer->advance(lexer, false);
    if (lexer->lookahead != '/') return false;
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
}
