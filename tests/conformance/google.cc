// Answers queries about robots.txt files with the parser and matcher of github.com/google/robotstxt.
//
// In, on standard input, any number of messages; numbers are 4 bytes, little-endian, and a text is
// its length followed by its bytes:
//   'B' body                          the file that the queries behind it are about
//   'Q' url, number of agents, agents a query: may a crawler with these tokens fetch the URL?
// Out, on standard output, 5 bytes for each query: 'a' (allow) or 'd' (disallow), and the number of
// the line that decided, 0 for none.
//
// Exits with 1 and a sentence if the input ends inside a message.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "robots.h"

namespace {

void ReadExactly(char* to, size_t length) {
  if (std::fread(to, 1, length, stdin) == length) return;
  std::fputs("the input ends inside a message\n", stderr);
  std::exit(1);
}

uint32_t ReadNumber() {
  unsigned char bytes[4];
  ReadExactly(reinterpret_cast<char*>(bytes), sizeof bytes);
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t{bytes[3]} << 24;
}

std::string ReadText() {
  std::string text(ReadNumber(), '\0');
  ReadExactly(text.data(), text.size());
  return text;
}

void Write(bool is_allowed, uint32_t line) {
  std::putchar(is_allowed ? 'a' : 'd');
  for (int shift = 0; shift < 32; shift += 8) std::putchar(line >> shift & 0xff);
}

}  // namespace

int main() {
  googlebot::RobotsMatcher matcher;
  std::string body;
  for (int kind; (kind = std::getchar()) != EOF;) {
    if (kind == 'B') {
      body = ReadText();
    } else if (kind == 'Q') {
      const std::string url = ReadText();
      std::vector<std::string> agents(ReadNumber());
      for (std::string& agent : agents) agent = ReadText();
      const bool is_allowed = matcher.AllowedByRobots(body, &agents, url);
      Write(is_allowed, matcher.matching_line());
    } else {
      std::fprintf(stderr, "unknown message %d\n", kind);
      return 1;
    }
  }
}
