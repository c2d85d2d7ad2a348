#!/usr/bin/perl
# WWW::RobotRules, the parser of libwww-perl. It keeps the rules of one agent.
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use WWW::RobotRules;

my $PROTOCOL = 'robocensus-parser/1';
my $URL      = 'https://example.com/robots.txt';
my $json     = JSON::PP->new->utf8->canonical;
$| = 1;

sub say_message { print $json->encode( $_[0] ), "\n" }

my $hello = $json->decode( scalar <STDIN> );
die "expected the protocol $PROTOCOL, but found $hello->{protocol}\n" if $hello->{protocol} ne $PROTOCOL;
say_message( { protocol => $PROTOCOL, name => 'WWW::RobotRules', version => $WWW::RobotRules::VERSION } );
while ( my $line = <STDIN> ) {
    my $request = $json->decode($line);
    my $body    = decode_base64( $request->{robots_b64} );
    my ( %rules, @verdicts );
    for my $query ( @{ $request->{queries} } ) {
        my $rules = $rules{ $query->{agent} } //= do {
            my $new = WWW::RobotRules->new( $query->{agent} );
            $new->parse( $URL, $body );
            $new;
        };
        push @verdicts, $rules->allowed( $query->{url} ) ? 'allow' : 'disallow';
    }
    say_message( { id => $request->{id}, verdicts => \@verdicts } );
}
